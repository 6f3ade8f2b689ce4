// SPDX-License-Identifier: GPL-2.0-only

#ifndef RDMA_PYTHON_LOAD_BALANCER_H
#define RDMA_PYTHON_LOAD_BALANCER_H

#include "python-policy.h"

#include "ns3/load-balancer.h"

namespace ns3::rdma
{

/**
 * @brief Load balancer whose choices are those of a Python object, one per switch.
 *
 * It is asked for each frame when that has arrived: not modelled is a choice that does not depend
 * on the switch's state, which C++ classes may announce.
 */
class PythonLoadBalancer : public LoadBalancer, public PythonPolicy
{
  public:
    void Start(const SwitchView& view) override;
    uint32_t Choose(Frame& frame, const PortChoice& choice, Tick now) override;
    std::optional<uint32_t> ChooseForFlow(uint32_t entropy, uint32_t count) const override;

  private:
    const Object& GetPolicy() const override;
    void NotifyConstructionCompleted() override;
    /// @return the number of a port, of those that there are
    uint32_t CheckChoice(const char* call, const pybind11::object& answer, uint32_t count) const;

    bool m_knowsFlows{false}; ///< The Python class has ChooseForFlow().
};

} // namespace ns3::rdma

#endif // RDMA_PYTHON_LOAD_BALANCER_H
