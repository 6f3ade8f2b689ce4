-- SPDX-License-Identifier: GPL-2.0-only
-- Shows the headers of MRC behind the BTH of RoCE v2, after Wireshark's own dissection:
--   tshark -X lua_script:utils/wireshark/mrc.lua -r port.pcap -V
-- Wireshark shows the BTH, whose opcode it does not recognise, and the bytes behind it as data.
-- Source: MRC 1.0, Tables 7-12 to 7-22, as docs/reference/wire.md describes them.

local mrc = Proto("mrc", "Multipath Reliable Connection")
local bth_opcode = Field.new("infiniband.bth.opcode")

-- Name, first bit, number of bits; bit 0 is the most significant one of the header.
local HEADERS = {
  METH = { bytes = 4, { "rqmsn", 0, 16 }, { "msn", 16, 16 } },
  RETH = { bytes = 16, { "va", 0, 64 }, { "rkey", 64, 32 }, { "dmalen", 96, 32 } },
  IMMDT = { bytes = 4, { "immediate", 0, 32 } },
  AETH = { bytes = 4, { "syndrome", 0, 8 }, { "aeth_msn", 8, 24 } },
  SETH = {
    bytes = 28,
    { "m", 9, 2 }, { "pr", 14, 1 }, { "ack_psn_offset", 16, 16 }, { "entropy", 32, 32 },
    { "spdcid", 64, 16 }, { "dpdcid", 80, 16 }, { "cack_psn", 104, 24 },
    { "cc_type", 128, 4 }, { "cc_flags", 132, 4 }, { "mpr", 136, 8 },
    { "sack_offset", 144, 16 }, { "sack_bitmap", 160, 64 },
  },
  CC_STATE = {
    bytes = 8,
    { "tx_time", 0, 16 }, { "ooo_count", 17, 15 }, { "restore_cwnd", 32, 1 },
    { "rcv_cwnd_pen", 33, 7 }, { "rcvd_bytes", 40, 24 },
  },
  NETH = {
    bytes = 20,
    { "reason", 16, 8 }, { "vendor", 24, 8 }, { "entropy", 32, 32 }, { "spdcid", 64, 16 },
    { "dpdcid", 80, 16 }, { "nack_psn", 104, 24 }, { "cc_type", 128, 4 }, { "cc_flags", 132, 4 },
    { "tx_time", 144, 16 },
  },
  PETH = {
    bytes = 16,
    { "vendor", 24, 8 }, { "probe_id", 32, 16 }, { "spdcid", 64, 16 }, { "dpdcid", 80, 16 },
    { "tx_time", 96, 16 }, { "tsr", 112, 1 }, { "ftype", 124, 4 },
  },
  ERTH = {
    bytes = 16,
    { "op", 14, 2 }, { "vendor", 24, 8 }, { "port_mask", 32, 32 }, { "tx_time", 96, 16 },
    { "tsr", 112, 1 }, { "ftype", 124, 4 },
  },
  EETH = { bytes = 36, { "op", 12, 2 }, { "tx_time", 224, 16 } },
}

local WRITE = { "METH", "RETH" }
local WRITE_IMM = { "METH", "RETH", "IMMDT" }
local PACKETS = {
  [0xc6] = { "WRITE First", WRITE },
  [0xc7] = { "WRITE Middle", WRITE },
  [0xc8] = { "WRITE Last", WRITE },
  [0xc9] = { "WRITE Last with Immediate", WRITE_IMM },
  [0xca] = { "WRITE Only", WRITE },
  [0xcb] = { "WRITE Only with Immediate", WRITE_IMM },
  [0xd1] = { "ACK", { "AETH" } },
  [0xd8] = { "Endpoint Request", { "ERTH" } },
  [0xd9] = { "Endpoint Response", { "EETH" } },
  [0xdc] = { "SACK", { "SETH", "CC_STATE" } },
  [0xdd] = { "NACK", { "NETH" } },
  [0xde] = { "Probe", { "PETH" } },
}

local packet_field = ProtoField.string("mrc.packet", "Packet")
local rtx_field = ProtoField.uint8("mrc.rtx", "Sent before")
local payload_field = ProtoField.uint32("mrc.payload", "Payload bytes")
local fields = {}
mrc.fields = { packet_field, rtx_field, payload_field }
for _, header in pairs(HEADERS) do
  for _, part in ipairs(header) do
    local name = part[1]
    if not fields[name] then
      fields[name] = ProtoField.uint64("mrc." .. name, name)
      table.insert(mrc.fields, fields[name])
    end
  end
end

-- Returns the bytes from a bit to the last one of a field, and the field's value as UInt64.
local function read(tvb, start, bit, width)
  local first = math.floor(bit / 8)
  local last = math.floor((bit + width - 1) / 8)
  local range = tvb(start + first, last - first + 1)
  return range, range:bitfield(bit % 8, width)
end

local function to_uint64(value)
  return type(value) == "number" and UInt64(value) or value
end

local BTH_BYTES = 12
local ICRC_BYTES = 4

function mrc.dissector(tvb, pinfo, tree)
  local opcode = bth_opcode()
  local packet = opcode and PACKETS[tonumber(opcode.value)]
  if not packet then
    return
  end
  local place = opcode.offset + BTH_BYTES
  local shown = tree:add(mrc, tvb(opcode.offset))
  shown:add(packet_field, tvb(opcode.offset, 1), packet[1])
  shown:add(rtx_field, tvb(opcode.offset + 8, 1), tvb(opcode.offset + 8, 1):bitfield(2, 1))
  for _, kind in ipairs(packet[2]) do
    local header = HEADERS[kind]
    if tvb:len() < place + header.bytes then
      return
    end
    local branch = shown:add(tvb(place, header.bytes), kind)
    for _, part in ipairs(header) do
      local range, value = read(tvb, place, part[2], part[3])
      branch:add(fields[part[1]], range, to_uint64(value))
    end
    place = place + header.bytes
  end
  local pad = tvb(opcode.offset + 1, 1):bitfield(2, 2)
  local payload = tvb:len() - place - ICRC_BYTES - pad
  shown:add(payload_field, tvb(place), math.max(payload, 0))
end

register_postdissector(mrc)
