// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_HUGE_PAGES_H
#define RDMA_HUGE_PAGES_H

namespace ns3::rdma
{

/**
 * @ingroup rdma-engine
 * @brief Asks the system for pages of 2 MiB for what the process allocates from here on.
 *
 * A large fabric is reached at random: with pages of 4 KiB, looking up addresses costs as much as
 * the memory itself.  A hint only (madvise(2), MADV_HUGEPAGE): where it is not granted, nothing
 * changes but the speed.
 */
void UseHugePages();

} // namespace ns3::rdma

#endif // RDMA_HUGE_PAGES_H
