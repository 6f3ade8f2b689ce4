// SPDX-License-Identifier: GPL-2.0-only

#include "../command.h"
#include "../key-table.h"
#include "../scenario-options.h"

#include "ns3/exit-status.h"
#include "ns3/measurement.h"

#include <iomanip>
#include <iostream>
#include <nlohmann/json.hpp>

namespace ns3::rdma
{

namespace
{

/// Runs a measurement, or lists all of them.
class MeasureCommand : public Command
{
  public:
    MeasureCommand()
        : Command({"measure",
                   "Measure one part alone: memory, kernels, kernel TCP ...",
                   "  rocelab measure                                  all measurements\n"
                   "  rocelab measure kv-dma --help                    the keys of one\n"
                   "  rocelab measure kv-dma bytes=64 cores=4\n"
                   "  rocelab measure offload-traversal length=32 method=read --json",
                   50})
    {
    }

    void AddOptions(CLI::App& command) override;

    std::vector<std::string> GetPlugins() const override
    {
        return m_plugins;
    }

    int Run(const CommandContext& context) override;

  private:
    void PrintHelp() const;
    int Measure() const;

    const CLI::App* m_app{nullptr};
    std::string m_name; ///< Empty: all are listed.
    std::vector<std::string> m_words;
    std::string m_seed;
    std::vector<std::string> m_settings;
    std::vector<std::string> m_plugins;
    bool m_hasJson{false};
    bool m_hasHelp{false};
};

void
MeasureCommand::AddOptions(CLI::App& command)
{
    m_app = &command;
    command.set_help_flag();
    command.add_flag("-h,--help", m_hasHelp, "This help, or the keys of the measurement");
    command.add_option("name", m_name, "Measurement; without one, all are listed")
        ->type_name("NAME");
    command.add_option("keys", m_words, "Keys of the measurement, KEY=VALUE")->type_name("KEY");
    command.add_option("--set", m_settings, "Attribute, NAME=VALUE (repeatable)")
        ->allow_extra_args(false);
    command.add_option("--seed", m_seed, "Random seed, as seed=N")->check(CheckSeed);
    command.add_flag("--json", m_hasJson, "Results as JSON instead of a table");
    AddPluginOption(command, m_plugins);
}

void
MeasureCommand::PrintHelp() const
{
    if (m_name.empty())
    {
        std::cout << m_app->help("rocelab") << '\n';
        return;
    }
    const Ptr<Measurement> measurement = MakeMeasurement(m_name);
    std::cout << m_name << ": " << measurement->GetInfo().description << '\n';
    PrintKeys(std::cout, measurement->ListKeys());
}

int
MeasureCommand::Measure() const
{
    const Ptr<Measurement> measurement = MakeMeasurement(m_name);
    std::vector<std::string> words = m_words;
    if (!m_seed.empty())
    {
        words.push_back("seed=" + m_seed);
    }
    ReadMeasurement(*measurement, words);
    measurement->SetAttributes(m_settings);
    try
    {
        const MeasuredRows rows = measurement->Measure();
        if (m_hasJson)
        {
            nlohmann::ordered_json json{{"measurement", m_name},
                                        {"settings", nlohmann::ordered_json::object()},
                                        {"set", m_settings}};
            measurement->Write(json["settings"]);
            json.update(rows.Describe());
            std::cout << json.dump(2) << '\n';
        }
        else
        {
            rows.WriteTable(std::cout);
        }
    }
    catch (const MeasurementFailure& failure)
    {
        std::cerr << "rocelab: measure: " << m_name << ": " << failure.what() << '\n';
        return EXIT_STALLED;
    }
    return EXIT_GOOD;
}

int
MeasureCommand::Run(const CommandContext&)
{
    if (m_hasHelp)
    {
        PrintHelp();
        return EXIT_GOOD;
    }
    if (!m_name.empty())
    {
        return Measure();
    }
    constexpr int NAME_WIDTH{24};
    for (const Ptr<ScenarioKind>& kind : MakeKinds(Measurement::GetTypeId()))
    {
        std::cout << std::left << std::setw(NAME_WIDTH) << kind->GetInfo().name
                  << kind->GetInfo().description << '\n';
    }
    return EXIT_GOOD;
}

const RegisteredCommand<MeasureCommand> REGISTERED;

} // namespace

} // namespace ns3::rdma
