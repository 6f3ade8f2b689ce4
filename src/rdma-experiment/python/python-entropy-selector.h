// SPDX-License-Identifier: GPL-2.0-only

#ifndef RDMA_PYTHON_ENTROPY_SELECTOR_H
#define RDMA_PYTHON_ENTROPY_SELECTOR_H

#include "python-policy.h"

#include "ns3/entropy-selector.h"

namespace ns3::rdma
{

/**
 * @brief Entropy selector whose values are those of a Python object, one per queue pair.
 *
 * For prototypes: each packet costs a call of Python.  OnFeedback() is not called if the class has
 * not overridden it.
 */
class PythonEntropySelector : public EntropySelector, public PythonPolicy
{
  public:
    Ptr<EntropySelector> Fork() const override;
    void Start(const EntropyFacts& facts) override;
    uint32_t GetNext(uint64_t inFlightBytes, Time now) override;
    void OnFeedback(uint32_t entropy, RouteSignal signal, Time now) override;

  private:
    const Object& GetPolicy() const override;
    void NotifyConstructionCompleted() override;

    bool m_readsFeedback{false}; ///< The Python class has OnFeedback().
};

} // namespace ns3::rdma

#endif // RDMA_PYTHON_ENTROPY_SELECTOR_H
