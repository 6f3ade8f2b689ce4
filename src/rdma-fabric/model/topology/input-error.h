// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_INPUT_ERROR_H
#define RDMA_INPUT_ERROR_H

#include <stdexcept>

namespace ns3::rdma
{

/**
 * @ingroup rdma-fabric
 * @brief Something a user gave is wrong.
 *
 * what() is the complete line to show: the file, where in it, what was expected and what stood
 * there. Thrown before a run starts, never while one is under way.
 */
class InputError : public std::runtime_error
{
  public:
    using std::runtime_error::runtime_error;
};

} // namespace ns3::rdma

#endif // RDMA_INPUT_ERROR_H
