// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/flow-size-cdf.h"

#include "ns3/field-reader.h"
#include "ns3/input-error.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <optional>

namespace ns3::rdma
{

namespace
{

/// Whole bytes are exact in a double up to here.
constexpr double MAX_BYTES{0x1p53};

/// The fault of a list of points.
struct PointFault
{
    size_t index; ///< Of the point at fault.
    std::string expected;
    std::string got;
};

std::string
Format(const FlowSizePoint& point)
{
    // Shortest form that reads well: "300 0.12", not "300.000000 0.120000".
    char text[64];
    std::snprintf(text, sizeof(text), "\"%.12g %.12g\"", point.bytes, point.probability);
    return text;
}

std::optional<PointFault>
FindStepFault(const std::vector<FlowSizePoint>& points, size_t index)
{
    const FlowSizePoint& previous = points[index - 1];
    const FlowSizePoint& point = points[index];
    if (point.bytes < previous.bytes || point.probability < previous.probability)
    {
        return PointFault{index,
                          "sizes and probabilities that rise from " + Format(previous),
                          Format(point)};
    }
    if (point.bytes == previous.bytes && point.probability == previous.probability)
    {
        return PointFault{index, "a point other than the one before", Format(point)};
    }
    return std::nullopt;
}

std::optional<PointFault>
FindFault(const std::vector<FlowSizePoint>& points)
{
    for (size_t i = 0; i < points.size(); ++i)
    {
        // Written so that not-a-number fails as well.
        const bool isInRange = points[i].bytes >= 0 && points[i].bytes <= MAX_BYTES &&
                               points[i].probability >= 0 && points[i].probability <= 100;
        if (!isInRange)
        {
            return PointFault{i,
                              "a size from 0 to 2^53 bytes and a probability from 0 to 1 or 100",
                              Format(points[i])};
        }
        const auto fault = i == 0 ? std::nullopt : FindStepFault(points, i);
        if (fault)
        {
            return fault;
        }
    }
    if (points.size() < 2)
    {
        return PointFault{0, "at least two points", std::to_string(points.size())};
    }
    if (points.front().probability != 0)
    {
        return PointFault{0, "0 as first probability", Format(points.front())};
    }
    const double last = points.back().probability;
    if (last != 1 && last != 100)
    {
        return PointFault{points.size() - 1, "1 or 100 as last probability", Format(points.back())};
    }
    if (points.back().bytes < 1)
    {
        return PointFault{points.size() - 1,
                          "a largest size of 1 byte or more",
                          Format(points.back())};
    }
    return std::nullopt;
}

double
ComputeMean(const std::vector<FlowSizePoint>& points)
{
    double mean = 0;
    for (size_t i = 1; i < points.size(); ++i)
    {
        const double weight = points[i].probability - points[i - 1].probability;
        mean += weight * (points[i].bytes + points[i - 1].bytes) / 2;
    }
    return mean;
}

} // namespace

FlowSizeCdf
FlowSizeCdf::Read(const std::string& path)
{
    FieldReader reader(path);
    std::vector<FlowSizePoint> points;
    std::vector<uint64_t> lines;
    while (reader.Next())
    {
        reader.ExpectFieldCount(2, "bytes probability");
        const double bytes = reader.GetDouble(0, "a size in bytes");
        points.push_back({bytes, reader.GetDouble(1, "a probability")});
        lines.push_back(reader.GetLineNumber());
    }
    if (const auto fault = FindFault(points))
    {
        const uint64_t line = lines.empty() ? reader.GetLineNumber() : lines[fault->index];
        reader.FailAt(line, fault->expected, fault->got);
    }
    return FlowSizeCdf(std::move(points));
}

FlowSizeCdf::FlowSizeCdf(std::vector<FlowSizePoint> points)
    : m_points(std::move(points))
{
    if (const auto fault = FindFault(m_points))
    {
        throw InputError("size distribution:" + std::to_string(fault->index) + ": expected " +
                         fault->expected + ", got " + fault->got);
    }
    const double whole = m_points.back().probability;
    for (FlowSizePoint& point : m_points)
    {
        point.probability /= whole;
    }
    m_meanBytes = ComputeMean(m_points);
}

double
FlowSizeCdf::GetMeanBytes() const
{
    return m_meanBytes;
}

uint64_t
FlowSizeCdf::GetQuantile(double uniform) const
{
    // The first corner is at probability 0 and the last at 1, so both neighbors exist.
    const auto high = std::upper_bound(
        m_points.begin() + 1,
        m_points.end() - 1,
        uniform,
        [](double value, const FlowSizePoint& point) { return value < point.probability; });
    const FlowSizePoint& low = *(high - 1);
    const double share = (uniform - low.probability) / (high->probability - low.probability);
    const double bytes = low.bytes + share * (high->bytes - low.bytes);
    return std::max<uint64_t>(1, static_cast<uint64_t>(std::floor(bytes + 0.5)));
}

} // namespace ns3::rdma
