// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/work-completion.h"

#include <array>

namespace ns3::rdma
{

const char*
GetWcStatusName(WcStatus status)
{
    constexpr auto COUNT = static_cast<std::size_t>(WcStatus::COUNT);
    static constexpr std::array<const char*, COUNT> NAMES{"SUCCESS",
                                                          "LOC_LEN_ERR",
                                                          "LOC_QP_OP_ERR",
                                                          "LOC_PROT_ERR",
                                                          "WR_FLUSH_ERR",
                                                          "BAD_RESP_ERR",
                                                          "LOC_ACCESS_ERR",
                                                          "REM_INV_REQ_ERR",
                                                          "REM_ACCESS_ERR",
                                                          "REM_OP_ERR",
                                                          "RETRY_EXC_ERR",
                                                          "RNR_RETRY_EXC_ERR"};
    const auto index = static_cast<std::size_t>(status);
    return index < COUNT ? NAMES[index] : "UNKNOWN";
}

} // namespace ns3::rdma
