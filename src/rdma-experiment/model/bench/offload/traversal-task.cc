// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/lookup-method.h"
#include "ns3/traversal-kernel.h"
#include "ns3/uinteger.h"

#include <array>
#include <numeric>
#include <utility>

namespace ns3::rdma
{

namespace
{

constexpr uint64_t MAX_LENGTH{4096};
constexpr uint64_t ARGUMENT_BYTES{16}; ///< Of the RPC: which list, and the key.

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

constexpr std::array<std::pair<const char*, ListFault>, 5> FAULTS{
    {{"none", ListFault::NONE},
     {"absent", ListFault::ABSENT},
     {"null-value", ListFault::NULL_VALUE},
     {"wild", ListFault::WILD},
     {"circle", ListFault::CIRCLE}}};

struct ListOptions
{
    uint32_t length{32};
    uint32_t valueBytes{64};
    ListFault fault{ListFault::NONE};
};

/// A linked list in the server's memory, elements and values in random order, and the client's copy
/// of its keys and values.
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
        m_stride = lookup::GetStride(options.valueBytes);
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
            memory.Write64(m_head + NEXT_OFFSET, lookup::WILD);
        }
    }

    /// @return the search for a random key.
    LookupQuestion Draw()
    {
        const uint64_t element = m_random.Next() % m_options.length;
        switch (m_options.fault)
        {
        case ListFault::ABSENT:
            return {ABSENT_KEY, m_head, "NOT_FOUND", {}};
        case ListFault::NULL_VALUE:
            return {m_keys[element], m_head, "FAULT", {}};
        case ListFault::WILD:
            return {ABSENT_KEY, m_head, "FAULT", {}};
        case ListFault::CIRCLE:
            return {ABSENT_KEY, m_head, "TOO_MANY_STEPS", {}};
        default:
            return {m_keys[element], m_head, "OK", m_contents[element]};
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
        std::vector<uint8_t> value = lookup::DrawBytes(m_random, m_options.valueBytes);
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

/// The kernel of the server's NIC walks.
class KernelWalk : public LookupIn<LookupMethod, RemoteList>
{
  public:
    KernelWalk(const ListOptions& options, OffloadHosts& hosts)
        : LookupIn(options, hosts)
    {
        hosts.Deploy("ns3::rdma::TraversalKernel");
        m_answer =
            hosts.Allocate(OffloadHosts::CLIENT, KernelReply::WORD_BYTES + options.valueBytes);
    }

  private:
    void Begin() override
    {
        CallKernel(TraversalKernel::RPC_CODE,
                   m_data.MakeParameters(GetQuestion().key, m_answer).Encode(),
                   m_answer);
    }

    uint64_t m_answer{0};
};

/// @return elements after which software gives up: the kernel's bound.
uint64_t
ReadMaxElements(OffloadHosts& hosts)
{
    UintegerValue bound;
    hosts.ReadAttribute(TraversalKernel::GetTypeId(), "MaxElements", bound);
    return bound.Get();
}

/// The client reads element after element, compares the key, and reads the value.
class ReadWalk : public LookupIn<ReadLookup, RemoteList>
{
  public:
    ReadWalk(const ListOptions& options, OffloadHosts& hosts)
        : LookupIn(options, hosts),
          m_maxElements(ReadMaxElements(hosts))
    {
    }

  private:
    void Begin() override
    {
        // A wild pointer ends in the NIC of the server, which refuses the READ.
        if (m_data.GetOptions().fault == ListFault::WILD)
        {
            Expect(GetWcStatusName(WcStatus::REM_ACCESS_ERR));
        }
        m_walk = m_data.MakeParameters(GetQuestion().key, 0);
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

    uint64_t m_maxElements;
    TraversalParameters m_walk;
    uint64_t m_elements{0}; ///< Read by the present call.
};

/// The server's core walks.
class TcpWalk : public LookupIn<TcpLookup, RemoteList>
{
  public:
    TcpWalk(const ListOptions& options, OffloadHosts& hosts)
        : LookupIn(options, hosts),
          m_maxElements(ReadMaxElements(hosts))
    {
    }

  private:
    void Begin() override
    {
        const HostMemory& memory = *m_hosts.Get(OffloadHosts::SERVER).memory;
        const TraversalParameters walk = m_data.MakeParameters(GetQuestion().key, 0);
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
        Answer(ARGUMENT_BYTES, loads, status, value);
    }

    uint64_t m_maxElements;
};

} // namespace

/**
 * @ingroup rdma-offload
 * @brief Looks for a random key of a linked list at the server and fetches its value (StRoM section
 * 6.2, Figure 7).
 */
class TraversalTask : public LookupTask
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
        return {"offload-traversal", "a key of a linked list at the server"};
    }

    void VisitTask(Keys& keys) override
    {
        keys.Count("length", m_options.length, "elements of the list")
            .Between(uint64_t{1}, MAX_LENGTH);
        keys.Bytes("value-size", m_options.valueBytes, "size of each value")
            .Between(uint64_t{1}, lookup::MAX_VALUE);
        keys.Choice("fault", m_options.fault, FAULTS, "what each search meets");
        keys.Check(uint64_t{m_options.length} * m_options.valueBytes <= lookup::MAX_DATA,
                   "",
                   "a list with values of 1 GiB at most",
                   "more");
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
