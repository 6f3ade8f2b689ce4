// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/offload-hosts.h"
#include "ns3/offload-task.h"
#include "ns3/remote-reader.h"
#include "ns3/traversal-kernel.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <numeric>
#include <utility>

namespace ns3::rdma
{

namespace
{

constexpr uint64_t MAX_LENGTH{4096};
constexpr uint64_t MAX_VALUE{64U << 10U};
constexpr uint64_t MAX_DATA{1U << 30U};
constexpr uint64_t WILD{OffloadHosts::BASE / 2}; ///< Pinned and registered nowhere.
constexpr uint64_t ARGUMENT_BYTES{16};           ///< Of the RPC: which list, and the key.
constexpr uint64_t RESULT_BYTES{8};              ///< Before the value: status and length (XDR).

// An element, 24 bytes of 64: the layout of fpgasystems/davos and StRoM Figure 6.
constexpr uint64_t NEXT_OFFSET{8};
constexpr uint64_t VALUE_OFFSET{16};

enum class ListFault
{
    NONE,
    ABSENT,
    NULL_VALUE,
    WILD,
    CIRCLE
};

/// Names of the option, in the order of ListFault.
const std::vector<std::string> FAULTS{"none", "absent", "null-value", "wild", "circle"};

struct ListOptions
{
    uint32_t length{32};
    uint32_t valueBytes{64};
    ListFault fault{ListFault::NONE};
};

/// A linked list in the server's memory, elements and values in random order, and what the client
/// knows of it.
class RemoteList
{
  public:
    RemoteList(const ListOptions& options, OffloadHosts& hosts)
        : m_options(options),
          m_random(hosts.MakeRandom(0))
    {
        const uint64_t elements =
            hosts.Allocate(OffloadHosts::SERVER,
                           uint64_t{options.length} * TraversalParameters::ELEMENT_BYTES);
        m_stride = (options.valueBytes + 63U) / 64U * 64U;
        m_values = hosts.Allocate(OffloadHosts::SERVER, options.length * m_stride);
        HostMemory& memory = *hosts.Get(OffloadHosts::SERVER).memory;
        std::vector<uint64_t> places(options.length);
        std::iota(places.begin(), places.end(), 0);
        for (std::size_t i = places.size(); i > 1; --i)
        {
            std::swap(places[i - 1], places[m_random.Next() % i]);
        }
        const auto at = [&](std::size_t i) {
            return elements + places[i] * TraversalParameters::ELEMENT_BYTES;
        };
        m_head = at(0);
        for (std::size_t i = 0; i < places.size(); ++i)
        {
            const uint64_t end = options.fault == ListFault::CIRCLE ? m_head : 0;
            WriteElement(memory, at(i), i, i + 1 < places.size() ? at(i + 1) : end);
        }
        if (options.fault == ListFault::WILD)
        {
            memory.Write64(m_head + NEXT_OFFSET, WILD);
        }
    }

    /// What a call asks for and must get.
    struct Question
    {
        uint64_t key{0};
        std::string status;
        std::vector<uint8_t> value;
    };

    Question Ask()
    {
        const uint64_t element = m_random.Next() % m_options.length;
        switch (m_options.fault)
        {
        case ListFault::ABSENT:
            return {ABSENT_KEY, "NOT_FOUND", {}};
        case ListFault::NULL_VALUE:
            return {m_keys[element], "FAULT", {}};
        case ListFault::WILD:
            return {ABSENT_KEY, "FAULT", {}};
        case ListFault::CIRCLE:
            return {ABSENT_KEY, "TOO_MANY_STEPS", {}};
        default:
            return {m_keys[element], "OK", m_contents[element]};
        }
    }

    /// @param target of the answer; only the kernel uses it
    TraversalParameters MakeParameters(uint64_t key, uint64_t target) const
    {
        TraversalParameters parameters;
        parameters.target = target;
        parameters.remoteAddress = m_head;
        parameters.key = key;
        parameters.valueSize = m_options.valueBytes;
        parameters.nextElementPtrPosition = NEXT_OFFSET / TraversalParameters::WORD_BYTES;
        parameters.valuePtrPosition = VALUE_OFFSET / TraversalParameters::WORD_BYTES;
        parameters.nextElementPtrValid = true;
        return parameters;
    }

    const ListOptions& GetOptions() const
    {
        return m_options;
    }

  private:
    static constexpr uint64_t ABSENT_KEY{1}; ///< All others are even.

    void WriteElement(HostMemory& memory, uint64_t address, uint64_t number, uint64_t next)
    {
        m_keys.push_back(m_random.Next() << 1U);
        std::vector<uint8_t> value(m_options.valueBytes);
        std::generate(value.begin(), value.end(), [this] {
            return static_cast<uint8_t>(m_random.Next32());
        });
        const uint64_t place = m_values + number * m_stride;
        memory.Write64(address, m_keys.back());
        memory.Write64(address + NEXT_OFFSET, next);
        memory.Write64(address + VALUE_OFFSET,
                       m_options.fault == ListFault::NULL_VALUE ? 0 : place);
        memory.Write(place, value.data(), value.size());
        m_contents.push_back(std::move(value));
    }

    ListOptions m_options;
    RandomStream m_random;
    uint64_t m_head{0};
    uint64_t m_values{0};
    uint64_t m_stride{0};
    std::vector<uint64_t> m_keys;
    std::vector<std::vector<uint8_t>> m_contents; ///< Of the values, by element.
};

/// What the methods share.
class ListMethod : public OffloadMethod
{
  public:
    ListMethod(const ListOptions& options, OffloadHosts& hosts)
        : m_hosts(hosts),
          m_list(options, hosts),
          m_costs(hosts.Create<SoftwareCosts>())
    {
        // Software has the kernel's bound.
        UintegerValue bound;
        hosts.Create<TraversalKernel>()->GetAttribute("MaxElements", bound);
        m_maxElements = bound.Get();
    }

    void Call(uint64_t, Done done) override
    {
        m_question = m_list.Ask();
        m_done = std::move(done);
        Begin();
    }

  protected:
    virtual void Begin() = 0;

    void End(const std::string& status, const std::vector<uint8_t>& value)
    {
        m_done(CompareAnswer(m_question.status, m_question.value, status, value));
    }

    OffloadHosts& m_hosts;
    RemoteList m_list;
    Ptr<SoftwareCosts> m_costs;
    uint64_t m_maxElements{0};
    RemoteList::Question m_question;
    Done m_done;
};

/// The kernel of the server's NIC walks.
class KernelWalk : public ListMethod
{
  public:
    KernelWalk(const ListOptions& options, OffloadHosts& hosts)
        : ListMethod(options, hosts)
    {
        hosts.Deploy("ns3::rdma::TraversalKernel");
        m_answer =
            hosts.Allocate(OffloadHosts::CLIENT, KernelReply::WORD_BYTES + options.valueBytes);
    }

  private:
    void Begin() override
    {
        m_hosts.Call(TraversalKernel::RPC_CODE,
                     m_list.MakeParameters(m_question.key, m_answer).Encode(),
                     m_answer,
                     [this](const std::string& status, const std::vector<uint8_t>& value) {
                         End(status, value);
                     });
    }

    uint64_t m_answer{0};
};

/// The client reads element after element, compares the key, and reads the value (Pilaf, FaRM).
class ReadWalk : public ListMethod
{
  public:
    ReadWalk(const ListOptions& options, OffloadHosts& hosts)
        : ListMethod(options, hosts),
          m_reader(hosts, MAX_VALUE)
    {
    }

    void Report(nlohmann::ordered_json& details) const override
    {
        details["reads"] = m_reader.GetReads();
    }

  private:
    void Begin() override
    {
        // A wild pointer ends in the NIC of the server, which refuses the READ.
        if (m_list.GetOptions().fault == ListFault::WILD)
        {
            m_question.status = GetWcStatusName(WcStatus::REM_ACCESS_ERR);
        }
        m_walk = m_list.MakeParameters(m_question.key, 0);
        m_elements = 0;
        ReadElement(m_walk.remoteAddress);
    }

    void ReadElement(uint64_t address)
    {
        ++m_elements;
        Read(address, TraversalParameters::ELEMENT_BYTES, [this](const auto& element) {
            Follow(m_walk.LookAt(ByteView(element)));
        });
    }

    void Follow(const TraversalParameters::Look& look)
    {
        if (look.isMatch && look.pointer != 0)
        {
            Read(look.pointer, m_walk.valueSize, [this](const auto& value) { End("OK", value); });
        }
        else if (look.isMatch)
        {
            End("FAULT", {});
        }
        else if (look.pointer == 0)
        {
            End("NOT_FOUND", {});
        }
        else if (m_elements >= m_maxElements)
        {
            End("TOO_MANY_STEPS", {});
        }
        else
        {
            ReadElement(look.pointer);
        }
    }

    /// @param then unless the READ fails, which ends the call
    void Read(uint64_t address,
              uint32_t bytes,
              std::function<void(const std::vector<uint8_t>&)> then)
    {
        m_reader.Read(address, bytes, [this, then](WcStatus status, const auto& found) {
            if (status == WcStatus::SUCCESS)
            {
                then(found);
            }
            else
            {
                End(GetWcStatusName(status), {});
            }
        });
    }

    RemoteReader m_reader;
    TraversalParameters m_walk;
    uint64_t m_elements{0}; ///< Read by the present call.
};

/// The server's core walks, called over kernel TCP.
class TcpWalk : public ListMethod
{
  public:
    TcpWalk(const ListOptions& options, OffloadHosts& hosts)
        : ListMethod(options, hosts),
          m_rpc(hosts.MakeTcpRpc())
    {
    }

  private:
    void Begin() override
    {
        const HostMemory& memory = *m_hosts.Get(OffloadHosts::SERVER).memory;
        const TraversalParameters walk = m_list.MakeParameters(m_question.key, 0);
        std::string status = "OK";
        std::vector<uint8_t> value;
        uint64_t address = walk.remoteAddress;
        uint64_t loads = 0;
        while (true)
        {
            if (address < OffloadHosts::BASE || loads >= m_maxElements)
            {
                status = loads >= m_maxElements ? "TOO_MANY_STEPS" : "FAULT";
                break;
            }
            ++loads;
            std::vector<uint8_t> element(TraversalParameters::ELEMENT_BYTES);
            memory.Read(address, element.data(), element.size());
            const TraversalParameters::Look look = walk.LookAt(ByteView(element));
            address = look.pointer;
            if (look.isMatch && address >= OffloadHosts::BASE)
            {
                ++loads;
                value.resize(walk.valueSize);
                memory.Read(address, value.data(), value.size());
                break;
            }
            if (look.pointer == 0)
            {
                status = look.isMatch ? "FAULT" : "NOT_FOUND";
                break;
            }
        }
        const TcpRpc::Exchange call =
            m_rpc.Measure(ARGUMENT_BYTES, RESULT_BYTES + value.size(), m_costs->GetMisses(loads));
        m_hosts.CountWire(OffloadHosts::CLIENT, call.request);
        m_hosts.CountWire(OffloadHosts::SERVER, call.reply);
        OffloadHosts::After(call.duration, [this, status, value] { End(status, value); });
    }

    TcpRpc m_rpc;
};

} // namespace

/**
 * @ingroup rdma-offload
 * @brief Looks for a random key of a linked list at the server and fetches its value (StRoM section
 * 6.2, Figure 7).
 */
class TraversalTask : public OffloadTask
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::rdma::TraversalTask")
                                .SetParent<OffloadTask>()
                                .SetGroupName("RdmaExperiment")
                                .AddConstructor<TraversalTask>();
        return tid;
    }

    KindInfo GetInfo() const override
    {
        return {"traversal",
                "a key of a linked list at the server",
                {"length", "value-size", "fault"},
                {}};
    }

    std::vector<std::string> GetMethods() const override
    {
        return {"kernel", "read", "tcp"};
    }

    void Read(const JsonValue& options, const std::string&) override
    {
        if (const auto length = options.Find("length"))
        {
            m_options.length = static_cast<uint32_t>(length->GetWhole(1, MAX_LENGTH));
        }
        if (const auto bytes = options.Find("value-size"))
        {
            m_options.valueBytes = static_cast<uint32_t>(bytes->GetWhole(1, MAX_VALUE));
        }
        if (const auto fault = options.Find("fault"))
        {
            const auto name = std::find(FAULTS.begin(), FAULTS.end(), fault->GetChoice(FAULTS));
            m_options.fault = static_cast<ListFault>(name - FAULTS.begin());
        }
        if (uint64_t{m_options.length} * m_options.valueBytes > MAX_DATA)
        {
            options.Fail("a list with values of 1 GiB at most", "more");
        }
    }

    void Write(nlohmann::ordered_json& json) const override
    {
        json["length"] = m_options.length;
        json["value-size"] = m_options.valueBytes;
        json["fault"] = FAULTS[static_cast<std::size_t>(m_options.fault)];
    }

    std::unique_ptr<OffloadMethod> Make(const std::string& method,
                                        OffloadHosts& hosts) const override
    {
        if (method == "kernel")
        {
            return std::make_unique<KernelWalk>(m_options, hosts);
        }
        if (method == "read")
        {
            return std::make_unique<ReadWalk>(m_options, hosts);
        }
        return std::make_unique<TcpWalk>(m_options, hosts);
    }

  private:
    ListOptions m_options;
};

NS_OBJECT_ENSURE_REGISTERED(TraversalTask);

} // namespace ns3::rdma
