// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_SHARED_CONFIG_H
#define RDMA_SHARED_CONFIG_H

#include "ns3/ptr.h"
#include "ns3/simple-ref-count.h"

namespace ns3::rdma
{

/**
 * @ingroup rdma-transport
 * @brief A configuration that many queue pairs hold together, so that each costs a pointer.
 *
 * Not changed while more than one holds it.
 */
template <typename Config>
struct SharedConfig : public Config, public SimpleRefCount<SharedConfig<Config>>
{
    explicit SharedConfig(const Config& config)
        : Config(config)
    {
    }
};

/// @return a configuration that has no other holder yet.
template <typename Config>
Ptr<const SharedConfig<Config>>
Share(const Config& config)
{
    return Ptr<const SharedConfig<Config>>(new SharedConfig<Config>(config), false);
}

} // namespace ns3::rdma

#endif // RDMA_SHARED_CONFIG_H
