// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/egress-scheduler.h"
#include "ns3/uinteger.h"

namespace ns3::rdma
{

/**
 * Serves the classes in turn, a fixed number of frames each: round robin, which favours the class
 * of the larger frames (Nagle, RFC 970).  Levels and weights of classes have no effect.
 */
class OwnScheduler : public EgressScheduler
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid =
            TypeId("ns3::rdma::OwnScheduler")
                .SetParent<EgressScheduler>()
                .AddConstructor<OwnScheduler>()
                .AddAttribute("Burst",
                              "Frames that a class sends in its turn (1: Nagle, RFC 970)",
                              UintegerValue(1),
                              MakeUintegerAccessor(&OwnScheduler::m_burst),
                              MakeUintegerChecker<uint32_t>(1));
        return tid;
    }

  private:
    uint32_t DoChoose(const EgressQueues& queues) override
    {
        uint32_t next = m_sent < m_burst ? m_class : m_class + 1;
        while (((queues.eligible >> (next % PRIORITIES)) & 1) == 0) // One bit is set.
        {
            ++next;
        }
        return next % PRIORITIES;
    }

    void DoOnSend(uint32_t classNumber, uint32_t) override
    {
        m_sent = classNumber == m_class ? m_sent + 1 : 1;
        m_class = classNumber;
    }

    uint32_t m_burst{0};
    uint32_t m_class{PRIORITIES - 1}; ///< That sent last.
    uint32_t m_sent{0};               ///< Frames of its turn.
};

NS_OBJECT_ENSURE_REGISTERED(OwnScheduler);

} // namespace ns3::rdma
