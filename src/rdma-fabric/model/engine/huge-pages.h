// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_HUGE_PAGES_H
#define RDMA_HUGE_PAGES_H

namespace ns3::rdma
{

/**
 * @ingroup rdma-engine
 * @brief Requests pages of 2 MiB for memory that the process allocates after this call.
 *
 * Accesses to a large fabric are random: with pages of 4 KiB, address translation costs as much as
 * the accesses.  This is a hint (madvise(2), MADV_HUGEPAGE): if it is not granted, only the speed
 * changes.
 */
void UseHugePages();

} // namespace ns3::rdma

#endif // RDMA_HUGE_PAGES_H
