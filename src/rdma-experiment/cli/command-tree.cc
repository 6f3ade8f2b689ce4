// SPDX-License-Identifier: GPL-2.0-only

#include "command-tree.h"

#include "python-command.h"

#include <array>
#include <string>

namespace ns3::rdma
{

namespace
{

using Json = nlohmann::ordered_json;

struct CommandExamples
{
    const char* command;
    const char* text;
};

constexpr std::array EXAMPLES{
    CommandExamples{
        "run",
        "  rocelab run my.json                              every NIC of the scenario\n"
        "  rocelab run my.json --nic srnic --seed 2 --watch one of them, with a live view\n"
        "  rocelab run my.json --set workload.load=0.5 --series\n"
        "  mpirun -n 2 rocelab run my.json                  on two cores together"},
    CommandExamples{
        "check",
        "  rocelab check my.json                            all values that would be used\n"
        "  rocelab check my.json --cost --seeds 1,2,3       packet-hops of each run"},
    CommandExamples{"list",
                    "  rocelab list presets\n"
                    "  rocelab list attributes\n"
                    "  rocelab list pipeline --nic balboa --bytes 4096"},
    CommandExamples{"perftest",
                    "  rocelab perftest write_bw -s 65536 -q 2 --nic connectx6\n"
                    "  rocelab perftest write_lat -s 64 --nic srnic --hardware on\n"
                    "  rocelab perftest read_bw -a --json"},
    CommandExamples{"tcp",
                    "  rocelab tcp bw -s 65536\n"
                    "  rocelab tcp lat -s 64"},
    CommandExamples{"udp", "  rocelab udp bw -s 9000"},
    CommandExamples{"offload",
                    "  rocelab offload traversal -o length=32 --method kernel\n"
                    "  rocelab offload traversal -o length=32 --method read"},
    CommandExamples{"kv-dispatch", "  rocelab kv-dispatch --throughput 0.5,1,2 --memory 0.0625"},
    CommandExamples{"kv-dma",
                    "  rocelab kv-dma --bytes 64                        random reads over PCIe\n"
                    "  rocelab kv-dma --bytes 64 --cores 4              gathered by four cores"},
    CommandExamples{"kv-processor",
                    "  rocelab kv-processor --get 0.95 --zipf 0.99\n"
                    "  rocelab kv-processor --atomics 1 --in-order      one key, stalling\n"
                    "  rocelab kv-processor --ycsb a --rate 5e7 --json"},
    CommandExamples{"kv-store",
                    "  rocelab kv-store --kv-size 10 --utilization 0.1,0.5\n"
                    "  rocelab kv-store --table cuckoo --fill"},
    CommandExamples{"kv-slabs",
                    "  rocelab kv-slabs churn --slab 64\n"
                    "  rocelab kv-slabs merge --merge bitmap"},
    CommandExamples{"why",
                    "  rocelab why results/compare/srnic 40 --base examples/compare\n"
                    "  rocelab why results/compare/srnic --all --base examples/compare > why.csv"},
};

Json
DescribeOption(const CLI::Option& option)
{
    Json names = Json::array();
    for (const std::string& name : option.get_snames())
    {
        names.push_back("-" + name);
    }
    for (const std::string& name : option.get_lnames())
    {
        names.push_back("--" + name);
    }
    // CLI11 has a type for flags, too, when they are bound to a variable.
    const bool isFlag = option.get_items_expected_max() == 0;
    return {{"names", names},
            {"name", option.get_name(true)},
            {"type", isFlag ? "" : option.get_type_name()},
            {"help", option.get_description()}};
}

} // namespace

nlohmann::ordered_json
DescribeCommands(const CLI::App& app)
{
    Json commands = Json::array();
    for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; }))
    {
        Json options = Json::array();
        for (const CLI::Option* option : command->get_options())
        {
            options.push_back(DescribeOption(*option));
        }
        commands.push_back({{"name", command->get_name()},
                            {"help", command->get_description()},
                            {"examples", command->get_footer()},
                            {"options", options},
                            {"is_python", IsPythonCommand(command->get_name())}});
    }
    return {{"commands", commands}};
}

void
AddExamples(CLI::App& app)
{
    for (const CommandExamples& examples : EXAMPLES)
    {
        app.get_subcommand(examples.command)->footer(std::string("Examples:\n") + examples.text);
    }
    app.footer("rocelab COMMAND --help has the options of a command, with examples.");
}

} // namespace ns3::rdma
