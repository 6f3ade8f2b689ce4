// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_ENVIRONMENT_CHECK_H
#define RDMA_ENVIRONMENT_CHECK_H

namespace ns3::rdma
{

/**
 * ns-3 reads attributes from NS_ATTRIBUTE_DEFAULT whenever it makes an object, and global values
 * from NS_GLOBAL_VALUE: they would change results, and the resolved scenario would not hold them.
 *
 * @throws InputError if one of these environment variables is set
 */
void CheckEnvironment();

} // namespace ns3::rdma

#endif // RDMA_ENVIRONMENT_CHECK_H
