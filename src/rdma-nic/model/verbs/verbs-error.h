// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_VERBS_ERROR_H
#define RDMA_VERBS_ERROR_H

#include <stdexcept>

namespace ns3::rdma
{

/// An invalid call of a verb that has no error code as result: ibv_create_*() would return NULL
/// with errno EINVAL, ENOENT or ENOMEM. The call has no effect. Errors of a remote side are
/// completion statuses, never exceptions.
class VerbsError : public std::invalid_argument
{
  public:
    using std::invalid_argument::invalid_argument;
};

} // namespace ns3::rdma

#endif
