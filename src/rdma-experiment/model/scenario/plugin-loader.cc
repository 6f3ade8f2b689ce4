// SPDX-License-Identifier: GPL-2.0-only

#include "ns3/plugin-loader.h"

#include "ns3/input-error.h"
#include "ns3/type-id.h"

#include <cstdlib>
#include <cstring>
#include <cxxabi.h>
#include <dlfcn.h>
#include <elf.h>
#include <exception>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <link.h>
#include <memory>
#include <set>
#include <sstream>
#include <string_view>

namespace ns3::rdma
{

namespace
{

std::string
DescribeTakenName(const std::string& place, const std::string& name)
{
    return place + ": expected TypeIds of names of its own, got " + name + ", which exists already";
}

/// While a plug-in is loaded: from 3.41 on, ns-3 ends the program with a message of its own when a
/// TypeId is registered under a name that exists, before anyone can look.
class LoadGuard
{
  public:
    explicit LoadGuard(const std::string& place)
        : m_place(place),
          m_before(std::cerr.rdbuf(m_errors.rdbuf())),
          m_terminate(std::set_terminate(&LoadGuard::EndProgram))
    {
        g_guard = this;
    }

    LoadGuard(const LoadGuard&) = delete;
    LoadGuard& operator=(const LoadGuard&) = delete;

    ~LoadGuard()
    {
        std::set_terminate(m_terminate);
        std::cerr.rdbuf(m_before);
        std::cerr << m_errors.str();
        g_guard = nullptr;
    }

    /// @return null if it is no plug-in: dlerror() says why.
    void* Open(const std::string& file)
    {
        return dlopen(file.c_str(), RTLD_NOW | RTLD_GLOBAL);
    }

  private:
    /// @return what ns-3 says behind "same uid: ", up to a quotation mark; all else as it is.
    std::string Describe() const
    {
        constexpr std::string_view PREFIX{"same uid: "};
        const std::string text = m_errors.str();
        const std::size_t begin = text.find(PREFIX);
        if (begin == std::string::npos)
        {
            return m_place + ": expected a plug-in, got: " + text;
        }
        const std::string name = text.substr(begin + PREFIX.size());
        return DescribeTakenName(m_place, name.substr(0, name.find('"')));
    }

    [[noreturn]] static void EndProgram()
    {
        std::cerr.rdbuf(g_guard->m_before);
        std::cerr << "rocelab: " << g_guard->Describe() << std::endl;
        std::_Exit(2);
    }

    static inline LoadGuard* g_guard{nullptr}; // A terminate handler has no arguments.

    std::string m_place;
    std::ostringstream m_errors;
    std::streambuf* m_before;
    std::terminate_handler m_terminate;
};

/// Registers under a name that exists: before 3.41 ns-3 keeps the first one and says nothing.
void
CheckTypeNames(const std::string& place, uint16_t countBefore)
{
    std::set<std::string> names;
    for (uint16_t i = 0; i < TypeId::GetRegisteredN(); ++i)
    {
        const std::string name = TypeId::GetRegistered(i).GetName();
        if (!names.insert(name).second && i >= countBefore)
        {
            throw InputError(DescribeTakenName(place, name));
        }
    }
}

std::string
Demangle(const char* symbol)
{
    int status = 0;
    const std::unique_ptr<char, decltype(&std::free)> name(
        abi::__cxa_demangle(symbol, nullptr, nullptr, &status),
        &std::free);
    return name ? name.get() : symbol;
}

/// The dynamic symbols of a shared library's file.
class SymbolTable
{
  public:
    explicit SymbolTable(const std::string& file)
    {
        std::ifstream stream(file, std::ios::binary);
        m_bytes.assign(std::istreambuf_iterator<char>(stream), {});
        const auto* header = At<ElfW(Ehdr)>(0, 1);
        const auto* sections = header ? At<ElfW(Shdr)>(header->e_shoff, header->e_shnum) : nullptr;
        for (uint32_t i = 0; sections && i < header->e_shnum; ++i)
        {
            if (sections[i].sh_type == SHT_DYNSYM && sections[i].sh_link < header->e_shnum)
            {
                const ElfW(Shdr)& names = sections[sections[i].sh_link];
                m_count = sections[i].sh_size / sizeof(ElfW(Sym));
                m_symbols = At<ElfW(Sym)>(sections[i].sh_offset, m_count);
                m_names = At<char>(names.sh_offset, names.sh_size);
            }
        }
    }

    /// Calls visit(symbol, name) for all that the library defines for others and that no other may
    /// define: functions and data of classes that are not inline.
    template <typename Visitor>
    void ForEachDefined(Visitor visit) const
    {
        for (std::size_t i = 0; m_symbols && m_names && i < m_count; ++i)
        {
            const ElfW(Sym)& symbol = m_symbols[i];
            const char* name = m_names + symbol.st_name;
            const bool isClass =
                std::strncmp(name, "_ZN", 3) == 0 || std::strncmp(name, "_ZTV", 4) == 0;
            if (isClass && symbol.st_shndx != SHN_UNDEF &&
                ELF64_ST_BIND(symbol.st_info) == STB_GLOBAL)
            {
                visit(symbol, name);
            }
        }
    }

  private:
    template <typename T>
    const T* At(std::size_t offset, std::size_t count) const
    {
        return offset <= m_bytes.size() && count <= (m_bytes.size() - offset) / sizeof(T)
                   ? reinterpret_cast<const T*>(m_bytes.data() + offset)
                   : nullptr;
    }

    std::vector<char> m_bytes;
    const ElfW(Sym) * m_symbols{nullptr};
    const char* m_names{nullptr};
    std::size_t m_count{0};
};

/// A class that exists already, in the program or another plug-in, would be used instead of the
/// plug-in's own, at least in part: the linker takes the first definition that it finds.
void
CheckSymbols(const std::string& place, const std::string& file, void* handle)
{
    link_map* loaded = nullptr;
    if (dlinfo(handle, RTLD_DI_LINKMAP, &loaded) != 0)
    {
        return;
    }
    std::string hidden;
    SymbolTable(file).ForEachDefined([&](const ElfW(Sym) & symbol, const char* name) {
        const auto* own = reinterpret_cast<const char*>(loaded->l_addr + symbol.st_value);
        if (dlsym(RTLD_DEFAULT, name) != own)
        {
            const bool isGetTypeId = std::strstr(name, "9GetTypeIdEv") != nullptr;
            hidden = hidden.empty() || isGetTypeId ? Demangle(name) : hidden;
        }
    });
    if (!hidden.empty())
    {
        throw InputError(place + ": expected classes of names of its own, got " + hidden +
                         ", which exists already");
    }
}

} // namespace

void
LoadPlugins(const std::vector<std::string>& paths)
{
    for (const std::string& path : paths)
    {
        if (path.empty())
        {
            throw InputError("--plugin: expected the path of a shared library, got nothing");
        }
        LoadPlugin(path, "--plugin " + path);
    }
}

void
LoadPlugin(const std::string& path, const std::string& place)
{
    // A name without a folder would be searched for among the system's libraries.
    const std::string file = std::filesystem::absolute(path).string();
    if (dlopen(file.c_str(), RTLD_NOW | RTLD_NOLOAD))
    {
        return; // Given twice.
    }
    const uint16_t countBefore = TypeId::GetRegisteredN();
    void* handle = LoadGuard(place).Open(file);
    if (!handle && std::filesystem::path(path).extension() == ".cc")
    {
        throw InputError(place + ": expected a shared library, got a C++ file: rocelab plugin " +
                         path + " makes one");
    }
    if (!handle)
    {
        throw InputError(place + ": expected a plug-in, got: " + dlerror());
    }
    CheckTypeNames(place, countBefore);
    CheckSymbols(place, file, handle);
    if (TypeId::GetRegisteredN() == countBefore)
    {
        throw InputError(place +
                         ": expected a TypeId of its own, got none: its classes exist already, "
                         "or NS_OBJECT_ENSURE_REGISTERED is missing");
    }
}

} // namespace ns3::rdma
