// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_EXPECT_ERROR_H
#define RDMA_EXPECT_ERROR_H

#include <functional>
#include <gtest/gtest.h>
#include <string>

namespace ns3::rdma
{

/// The action throws an Error whose message has the given part.
template <typename Error>
void
ExpectError(const std::function<void()>& action, const std::string& part)
{
    try
    {
        action();
        ADD_FAILURE() << "nothing was thrown, expected: " << part;
    }
    catch (const Error& error)
    {
        EXPECT_NE(std::string(error.what()).find(part), std::string::npos)
            << error.what() << ", expected: " << part;
    }
}

} // namespace ns3::rdma

#endif // RDMA_EXPECT_ERROR_H
