// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_KV_TABLES_UNDER_TEST_H
#define RDMA_KV_TABLES_UNDER_TEST_H

#include "ns3/kv-store-run.h"

#include <memory>

namespace ns3::rdma
{

/// @return the table that a request names. @throws InputError if it makes no sense
std::unique_ptr<KvTableUnderTest> MakeKvTable(const KvStoreRequest& request);

} // namespace ns3::rdma

#endif // RDMA_KV_TABLES_UNDER_TEST_H
