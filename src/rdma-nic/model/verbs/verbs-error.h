// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_VERBS_ERROR_H
#define RDMA_VERBS_ERROR_H

#include <stdexcept>

namespace ns3::rdma
{

/// A call of the verbs that no adapter would accept, where the call has no return value to say so:
/// ibv_create_*() would return NULL with errno EINVAL, ENOENT or ENOMEM. Nothing has changed when
/// it is thrown. What a remote side does wrong is a completion status, never an exception.
class VerbsError : public std::invalid_argument
{
  public:
    using std::invalid_argument::invalid_argument;
};

} // namespace ns3::rdma

#endif
