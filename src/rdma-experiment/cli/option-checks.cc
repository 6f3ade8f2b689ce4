// SPDX-License-Identifier: GPL-2.0-only

#include "option-checks.h"

#include <cmath>
#include <cstdlib>

namespace ns3::rdma
{

namespace
{

/// @return what is wrong, or nothing
std::string
CheckText(const std::string& text)
{
    return text.empty() ? "expected a value, got an empty text" : "";
}

/// @return what is wrong, or nothing
std::string
CheckPlainNumber(const std::string& text)
{
    char* end = nullptr;
    const bool isPlain = text.find_first_not_of("0123456789+-.eE") == std::string::npos;
    const bool isFinite = isPlain && std::isfinite(std::strtod(text.c_str(), &end));
    return isFinite && !text.empty() && *end == '\0'
               ? ""
               : "expected a decimal number, got " + (text.empty() ? "an empty text" : text);
}

bool
IsNumber(const CLI::Option& option)
{
    // The checks of an option follow its type: "UINT:INT in [1 - 4]".
    const std::string type = option.get_type_name();
    return type.rfind("UINT", 0) == 0 || type.rfind("INT", 0) == 0 || type.rfind("FLOAT", 0) == 0;
}

} // namespace

void
CheckAllValues(CLI::App& app)
{
    for (CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; }))
    {
        for (CLI::Option* option : command->get_options())
        {
            if (option->get_items_expected_max() > 0)
            {
                option->check(IsNumber(*option) ? CheckPlainNumber : CheckText);
            }
        }
    }
}

} // namespace ns3::rdma
