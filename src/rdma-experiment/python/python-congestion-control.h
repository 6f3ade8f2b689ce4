// SPDX-License-Identifier: GPL-2.0-only

#ifndef RDMA_PYTHON_CONGESTION_CONTROL_H
#define RDMA_PYTHON_CONGESTION_CONTROL_H

#include "python-policy.h"

#include "ns3/congestion-control.h"

namespace ns3::rdma
{

/**
 * @brief Congestion control whose decisions are those of a Python object.
 *
 * For prototypes: an event costs an object for what it says and two calls of Python.  Methods that
 * the class has not overridden are not called.
 */
class PythonCongestionControl : public CongestionControl, public PythonPolicy
{
  public:
    Ptr<CongestionControl> Fork() const override;
    Feedback GetNeededFeedback() const override;
    bool UsesOwnPath() const override;
    bool NeedsOnSent() const override;
    void Start(const PathInfo& path, Time now) override;
    void OnAck(const AckEvent& ack) override;
    void OnCnp(Time now) override;
    bool OnSent(uint32_t wireBytes, Time now) override;
    void OnLoss(const LossEvent& loss) override;
    void OnTimeout(const LossEvent& loss) override;
    void OnDeadline(Time now) override;
    SendLimit GetLimit() const override;

  private:
    /// Which methods the Python class has.
    struct Methods
    {
        bool onAck;
        bool onCnp;
        bool onSent;
        bool onLoss;
        bool onTimeout;
        bool onDeadline;
    };

    const Object& GetPolicy() const override;
    void NotifyConstructionCompleted() override;

    Methods m_methods{};
};

} // namespace ns3::rdma

#endif // RDMA_PYTHON_CONGESTION_CONTROL_H
