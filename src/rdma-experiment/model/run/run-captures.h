// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_RUN_CAPTURES_H
#define RDMA_RUN_CAPTURES_H

#include "ns3/capture-request.h"
#include "ns3/fabric.h"
#include "ns3/server-capture.h"

#include <filesystem>
#include <memory>
#include <vector>

namespace ns3::rdma
{

/**
 * @ingroup rdma-scenario
 * @brief The captures of one run: a file "host-<node id>.pcap" for each server of a request, and
 * one "host-<node id>-nic-<nic>-port-<port>.pcap" for each of its further endpoints.
 */
class RunCaptures
{
  public:
    /// Opens all files. @param fabric outlives the captures; @param folder for them
    RunCaptures(Fabric& fabric, const CaptureRequest& request, const std::filesystem::path& folder);

    /// Ends all captures; until then, files have temporary names. @throws std::runtime_error if one
    /// cannot be written
    void Close();

  private:
    std::vector<std::unique_ptr<ServerCapture>> m_captures;
};

} // namespace ns3::rdma

#endif // RDMA_RUN_CAPTURES_H
