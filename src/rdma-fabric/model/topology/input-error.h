// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_INPUT_ERROR_H
#define RDMA_INPUT_ERROR_H

#include <stdexcept>

namespace ns3::rdma
{

/**
 * @ingroup rdma-fabric
 * @brief Invalid input of a user.
 *
 * what() is the complete message on one line: file, position, expected and actual text. Thrown
 * before a run starts, never during a run.
 */
class InputError : public std::runtime_error
{
  public:
    using std::runtime_error::runtime_error;
};

} // namespace ns3::rdma

#endif // RDMA_INPUT_ERROR_H
