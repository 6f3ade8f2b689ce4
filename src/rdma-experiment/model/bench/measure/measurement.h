// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_MEASUREMENT_H
#define RDMA_MEASUREMENT_H

#include "ns3/measured-rows.h"
#include "ns3/scenario-kind.h"

#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

namespace ns3::rdma
{

/**
 * @ingroup rdma-measure
 * @brief A benchmark of one part of the system: `rocelab measure NAME KEY=VALUE ...`.
 *
 * A registered class, found by the name of its KindInfo, in the program and in plug-ins alike.
 * Visit() declares its keys.
 */
class Measurement : public ScenarioKind
{
  public:
    static TypeId GetTypeId();

    /// Sets attributes, "NAME=VALUE" each, after the keys are read. Default: there are none.
    /// @throws InputError
    virtual void SetAttributes(const std::vector<std::string>& settings);

    /// Once, after the keys are read. @throws InputError, or MeasurementFailure
    virtual MeasuredRows Measure() = 0;

  protected:
    /// @param fault as "memory: expected ..., got ..." @throws InputError
    [[noreturn]] void Fail(const std::string& fault) const;

    /// Declares "seed".
    static void VisitSeed(Keys& keys, uint64_t& seed);

    /// Implements SetAttributes(). @param objects that have the attributes; a name without a type
    /// is an attribute of the first one
    void SetAttributesOf(const std::vector<Ptr<Object>>& objects,
                         const std::vector<std::string>& settings) const;
};

/// A measurement that failed: a wrong answer, or none.
class MeasurementFailure : public std::runtime_error
{
  public:
    using std::runtime_error::runtime_error;
};

/// @return a new measurement of that name, with the defaults of its keys. @throws InputError
Ptr<Measurement> MakeMeasurement(const std::string& name);

/// Reads the keys of a measurement. @param words "KEY=VALUE" @throws InputError
void ReadMeasurement(Measurement& measurement, const std::vector<std::string>& words);

} // namespace ns3::rdma

#endif // RDMA_MEASUREMENT_H
