//===- Instruction.h - A decoded instruction of a code object -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the decoder makes of one machine instruction, and what a handler that executes it for a
// whole wave is given. All text work happens once per kernel: the decoder parses the text that
// LLVM's instruction printer gives (mnemonic, operands, modifiers), because that text, unlike the
// operand order of llvm::MCInst, is documented and stable. A handler sees register indices and
// constant bits only.
//
//===----------------------------------------------------------------------===//

#ifndef CK_MLIR_LIB_EMULATOR_DECODE_INSTRUCTION_H
#define CK_MLIR_LIB_EMULATOR_DECODE_INSTRUCTION_H

#include "Emulator/Decode/InstructionFacts.h"
#include "llvm/ADT/StringRef.h"
#include <array>
#include <cstdint>

namespace ckemu {

struct Wave;
struct Instruction;

/// Executes one instruction for a whole wave. Returns the instruction to execute next (`inst + 1`
/// for all but branches), or null when the wave must leave the run loop: Wave::endProgram,
/// Wave::waitAtBarrier, Wave::yield and Wave::fault return that null after noting why.
using Handler = const Instruction *(*)(Wave & wave, const Instruction *inst);

/// The classes that instructions are counted by.
enum class InstructionClass : uint8_t { Mfma, Wmma, Valu, Salu, Smem, Vmem, Lds, Branch, Other };
inline constexpr unsigned kNumInstructionClasses = 9;

/// The printed name of a class: "mfma", "valu", ...
llvm::StringRef getInstructionClassName(InstructionClass kind);

/// What an instruction does to registers and memory, for those who look at code without executing
/// it.
enum class Effect : uint8_t {
  Unknown,        ///< anything with the registers that it names, and with other state
  Sets,           ///< op(0) becomes, in the lanes of EXEC, a function of the other operands
  Changes,        ///< op(0) becomes, in any lanes, a function of itself and the other operands
  SetsScalar,     ///< op(0), which is scalar, becomes a function of the other operands
  SetsTwo,        ///< as Sets, and op(1), which is scalar, too; or both are vectors that change
  Loads,          ///< op(0) becomes, in the lanes of EXEC, what lies where the others say
  LoadsParts,     ///< the same, but parts of op(0) may be kept
  LoadsToLds,     ///< what lies where the operands say goes to LDS
  StoresFirst,    ///< op(0) goes where the others say
  StoresBehind,   ///< the vector registers behind op(0) go where it says
  CombinesFirst,  ///< as StoresFirst, but atomically combined with what is there
  CombinesBehind, ///< as StoresBehind, but atomically combined with what is there
};

/// Slots of the scalar register file (Wave::sgpr). They follow the gfx9 operand encoding, so that
/// every scalar state an instruction can name is an index into one array.
enum ScalarSlot : uint16_t {
  kSgprCount = 102,   ///< s0 .. s101
  kFlatScratch = 102, ///< flat_scratch, two slots
  kXnackMask = 104,   ///< xnack_mask, two slots
  kVcc = 106,         ///< vcc, two slots
  kTtmp = 108,        ///< ttmp0 .. ttmp15
  kM0 = 124,          ///< m0
  kExec = 126,        ///< exec, two slots
  kScc = 128,         ///< scc as 0 or 1 (one slot)
  kNull = 130,        ///< null of gfx10+: two slots that are kept at 0 by the register functions
  kNumScalarSlots = 136
};

/// Bits of the state MODE (Wave::mode), as in the hardware register MODE.
enum ModeBits : uint32_t {
  kModeRound32Mask = 3u, ///< 0 nearest even, 1 +inf, 2 -inf, 3 zero
  kModeRound16_64Shift = 2,
  kModeDenorm32Shift = 4, ///< bit 0: keep input denormals, bit 1: keep output denormals
  kModeDenorm16_64Shift = 6,
  kModeDx10Clamp = 1u << 8,
  kModeIeee = 1u << 9,
  kModeFp16Overflow = 1u << 23 ///< FP16_OVFL: results too large become the largest finite value
};

/// Where an operand lives.
enum class OperandKind : uint8_t {
  None,     ///< no operand at this place
  Vgpr,     ///< v[index .. index + count - 1]
  Agpr,     ///< a[index .. index + count - 1]
  Sgpr,     ///< Wave::sgpr[index ...]: SGPRs, vcc, exec, m0, ttmp, scc, flat_scratch
  Constant, ///< inline constant, literal or aperture; the bits are in `value`
  Off       ///< the keyword `off` of memory instructions
};

/// Source modifiers of one operand.
enum OperandFlag : uint8_t {
  kOperandNeg = 1,  ///< -x, applied after abs
  kOperandAbs = 2,  ///< |x|
  kOperandSext = 4, ///< sext(x) of SDWA
  kOperandHalf = 8, ///< v1.l or v1.h of gfx11 and gfx12: one half of a register
  kOperandHigh = 16 ///< v1.h
};

/// One operand, resolved at decode.
struct Operand {
  OperandKind kind = OperandKind::None;
  uint8_t count = 0; ///< number of 32-bit registers; 1 or 2 for constants
  uint8_t flags = 0; ///< OperandFlag bits
  /// First register, or slot of Wave::sgpr; for constants the index of a pair (low dword, high
  /// dword) of broadcast vectors in Wave::constants.
  uint32_t index = 0;
  /// The bits of a constant. Conversion follows SourceType: `1.0` is 0x3c00 for a 16-bit float
  /// operation, 0x3ff0000000000000 for a 64-bit one; integers are sign extended to 64 bits; a
  /// 32-bit literal of a 64-bit float operation is its high dword.
  uint64_t value = 0;

  bool isVector() const { return kind == OperandKind::Vgpr || kind == OperandKind::Agpr; }
  bool isConstant() const { return kind == OperandKind::Constant; }
  bool isScalar() const { return kind == OperandKind::Sgpr; }
  explicit operator bool() const { return kind != OperandKind::None; }
};

/// Modifiers by name, as bit numbers of ModifierSet.
enum class Modifier : uint8_t {
  Offset,     ///< offset:N             -> Modifiers::offset
  Offset0,    ///< offset0:N            -> Modifiers::offset0
  Offset1,    ///< offset1:N            -> Modifiers::offset1
  Offen,      ///< offen
  Idxen,      ///< idxen
  Sc0,        ///< sc0 (on atomics: return the old value)
  Sc1,        ///< sc1
  Nt,         ///< nt
  Glc,        ///< glc (before gfx942; on atomics: return the old value)
  Slc,        ///< slc
  Dlc,        ///< dlc
  Scc,        ///< scc (gfx90a's cache bit)
  Lds,        ///< lds (memory to LDS)
  Gds,        ///< gds
  Tfe,        ///< tfe
  Clamp,      ///< clamp
  Omod,       ///< mul:2 mul:4 div:2    -> Modifiers::omod
  OpSel,      ///< op_sel:[a,b,c,..]    -> Modifiers::opSel (bit i is element i)
  OpSelHi,    ///< op_sel_hi:[a,b,c]    -> Modifiers::opSelHi
  NegLo,      ///< neg_lo:[a,b,c]       -> Modifiers::negLo
  NegHi,      ///< neg_hi:[a,b,c]       -> Modifiers::negHi
  Neg,        ///< neg:[a,b,c]          -> Modifiers::negLo (f64 MFMA)
  Cbsz,       ///< cbsz:N               -> Modifiers::cbsz
  Abid,       ///< abid:N               -> Modifiers::abid
  Blgp,       ///< blgp:N               -> Modifiers::blgp
  Dpp,        ///< any DPP control      -> Modifiers::dppControl, dppArgument
  RowMask,    ///< row_mask:N           -> Modifiers::rowMask
  BankMask,   ///< bank_mask:N          -> Modifiers::bankMask
  BoundCtrl,  ///< bound_ctrl:0 / :1    -> lanes out of bounds read 0
  Fi,         ///< fi:1
  DstSel,     ///< dst_sel:X            -> Modifiers::dstSel
  DstUnused,  ///< dst_unused:X         -> Modifiers::dstUnused
  Src0Sel,    ///< src0_sel:X           -> Modifiers::src0Sel
  Src1Sel,    ///< src1_sel:X           -> Modifiers::src1Sel
  ByteSel,    ///< byte_sel:N           -> Modifiers::src0Sel (gfx12)
  BitOp3,     ///< bitop3:N             -> Modifiers::bitop3 (gfx950)
  Th,         ///< th:TH_...            (gfx12's hint; with RETURN in its name also Glc)
  Scope,      ///< scope:SCOPE_...      -> Modifiers::scope (gfx12)
  Format,     ///< format:[...]         (MTBUF)
  SourceNeg,  ///< some operand has kOperandNeg
  SourceAbs,  ///< some operand has kOperandAbs
  SourceSext, ///< some operand has kOperandSext
  Half        ///< some operand has kOperandHalf
};

/// A set of modifiers; also used for what a family accepts.
using ModifierSet = uint64_t;
constexpr ModifierSet modifierBit(Modifier m) { return ModifierSet(1) << unsigned(m); }
template <class... Ms>
constexpr ModifierSet modifiers(Ms... ms) {
  return (ModifierSet(0) | ... | modifierBit(ms));
}

/// Kinds of DPP lane movement; the argument is Modifiers::dppArgument.
enum class DppControl : uint8_t {
  None,
  QuadPerm,      ///< quad_perm:[a,b,c,d]; argument = a | b << 2 | c << 4 | d << 6
  RowShl,        ///< row_shl:N
  RowShr,        ///< row_shr:N
  RowRor,        ///< row_ror:N
  WaveShl,       ///< wave_shl:1
  WaveRol,       ///< wave_rol:1
  WaveShr,       ///< wave_shr:1
  WaveRor,       ///< wave_ror:1
  RowMirror,     ///< row_mirror
  RowHalfMirror, ///< row_half_mirror
  RowBcast,      ///< row_bcast:15 or row_bcast:31
  RowNewBcast,   ///< row_newbcast:N (gfx90a+)
  RowShare,      ///< row_share:N (gfx10+)
  RowXmask,      ///< row_xmask:N (gfx10+)
  Dpp8           ///< dpp8:[a,...,h] (gfx10+); Modifiers::offset has three bits a lane
};

/// Parts of a register that SDWA selects.
enum class SdwaSel : uint8_t { Byte0, Byte1, Byte2, Byte3, Word0, Word1, Dword };
/// Who sees a memory access, of gfx12.
enum class MemoryScope : uint8_t { Unit, Engine, Device, System };
/// What SDWA does with the bits of the destination that it does not select.
enum class SdwaUnused : uint8_t { Pad, Sext, Preserve };
/// Output modifiers.
enum class Omod : uint8_t { None, Mul2, Mul4, Div2 };

/// Values of the modifiers; `present` says which were printed. Those that were not printed have the
/// values here, which for op_sel_hi of packed operations is not what the hardware assumes (all
/// ones): such families test `present`.
struct Modifiers {
  ModifierSet present = 0;
  int32_t offset = 0;
  uint8_t offset0 = 0, offset1 = 0;
  uint8_t opSel = 0, opSelHi = 0, negLo = 0, negHi = 0;
  uint8_t cbsz = 0, abid = 0, blgp = 0;
  Omod omod = Omod::None;
  DppControl dppControl = DppControl::None;
  uint8_t dppArgument = 0, rowMask = 0xf, bankMask = 0xf;
  SdwaSel dstSel = SdwaSel::Dword, src0Sel = SdwaSel::Dword, src1Sel = SdwaSel::Dword;
  SdwaUnused dstUnused = SdwaUnused::Pad;
  uint8_t bitop3 = 0;
  MemoryScope scope = MemoryScope::Unit;

  bool has(Modifier m) const { return present & modifierBit(m); }
};

/// The encoding that the printer named by a suffix (stripped from the mnemonic).
enum class Encoding : uint8_t { Default, E32, E64, Sdwa, Dpp };

/// How constant operands of an instruction become bits.
enum class SourceType : uint8_t {
  B32, ///< 32-bit; floats as binary32
  F16, ///< 16-bit float: inline floats as binary16 (also the low half of packed operations)
  B64, ///< 64-bit integer or untyped; literals are zero extended, inline integers sign extended
  F64  ///< 64-bit float; a literal is the high dword
};

inline constexpr unsigned kMaxOperands = 6;

/// A decoded instruction. Instructions of a code object lie in one array in address order, so that
/// `inst + 1` is the next one; a sentinel ends it.
struct Instruction {
  Handler handler = nullptr;
  /// Those of the row.
  const InstructionFacts *facts = &kNoFacts;
  /// Operands in printed order: destination(s) first. `off` and constants count as operands, while
  /// modifiers do not. SOPP instructions have no operands, and the function-like operands of SOPK
  /// (`hwreg(...)`) are constants with the value of simm16(): use simm16(). Example:
  /// `buffer_load_dwordx4 v[0:3], v8, s[0:3], 0 offen offset:16` has v[0:3], v8, s[0:3], 0.
  Operand operands[kMaxOperands];
  Modifiers mods;
  /// Branch target, or null.
  const Instruction *target = nullptr;
  /// Free for the family: set by OpcodeInfo::prepare, for example a selected lane kernel or the
  /// number of dwords.
  union {
    const void *pointer = nullptr;
    uint64_t word;
  } extra;
  /// Index in the array of instructions.
  uint32_t index = 0;
  /// Byte offset in the loaded image of the code object.
  uint32_t offset = 0;
  /// First two dwords of the encoding.
  uint32_t encoding[2] = {0, 0};
  uint8_t numOperands = 0;
  /// Size in bytes.
  uint8_t size = 0;
  InstructionClass kind = InstructionClass::Other;
  Encoding form = Encoding::Default;
  Effect effect = Effect::Unknown;

  const Operand &op(unsigned i) const { return operands[i]; }
  Operand &op(unsigned i) { return operands[i]; }
  /// The signed 16-bit immediate of SOPP and SOPK encodings.
  int16_t simm16() const { return int16_t(encoding[0] & 0xffff); }
  bool has(Modifier m) const { return mods.has(m); }
};

/// True when the instruction bypasses the caches up to the device, as accesses of flags do.
inline bool hasDeviceScope(const Instruction &inst) {
  return inst.has(Modifier::Sc1) || inst.has(Modifier::Glc) ||
         (inst.has(Modifier::Scope) && inst.mods.scope >= MemoryScope::Device);
}

/// The halves of an instruction that is two (VOPD of gfx11 and gfx12).
using InstructionPair = std::array<Instruction, 2>;

} // namespace ckemu

#endif // CK_MLIR_LIB_EMULATOR_DECODE_INSTRUCTION_H
