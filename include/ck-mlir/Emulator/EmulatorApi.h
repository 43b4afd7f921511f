//===- EmulatorApi.h - What libck_hip_emulator.so offers beyond HIP -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Plain C, to be found with dlsym beside the HIP functions.
//
//===----------------------------------------------------------------------===//

#ifndef CK_MLIR_EMULATOR_EMULATORAPI_H
#define CK_MLIR_EMULATOR_EMULATORAPI_H

#ifdef __cplusplus
extern "C" {
#endif

/// Gives a variable of the emulator (CK_EMULATOR_CHIP, CK_EMULATOR_CHECKS, ...:
/// docs/Environment.md) a value for this process, which stands before that of the environment. The
/// chip, the version of HIP and the log are chosen for good by the first HIP call, the others by
/// each launch. Returns 1, or 0 when there is no such variable.
__attribute__((visibility("default"))) int ckEmulatorSetVariable(const char *name,
                                                                 const char *value);

/// Why the last HIP call of this thread that failed did so: for a fault in a kernel the kernel,
/// workgroup, wave, pc, disassembly and reason. Empty when no call has failed. The text lives until
/// the thread's next call of this function.
__attribute__((visibility("default"))) const char *ckEmulatorGetLastMessage(void);

/// Whether calls that fail say why on standard error, and the end of the process says what nobody
/// asked of modelled times (default 1). 0 is for a program that shows the text of
/// ckEmulatorGetLastMessage itself; faults of kernels are printed in any case.
__attribute__((visibility("default"))) void ckEmulatorSetErrorPrinting(int enabled);

/// What is wrong with the values of the variables, as the first launch would say it; empty when
/// nothing is. The text lives until the thread's next call of this function.
__attribute__((visibility("default"))) const char *ckEmulatorCheckVariables(void);

/// A table of the emulator as a JSON array; empty when there is no such table. `what` is
/// "variables" (names), "products" (objects {chip, product, device, units, clock_mhz,
/// memory_bytes}), "refused functions" (names of HIP functions that are exported and not
/// implemented) or "instructions CHIP" (mnemonics that are executed, without suffixes of encodings;
/// some exist on other chips only). The text lives until the thread's next call of this function.
__attribute__((visibility("default"))) const char *ckEmulatorList(const char *what);

/// The names of the chips that the emulator executes, in ascending order with a space between them.
__attribute__((visibility("default"))) const char *ckEmulatorGetChips(void);

/// The vectors of the host that code objects loaded from now on are executed with: `portable`, or a
/// level of x86-64 such as `x86-64-v3`; see CK_EMULATOR_VECTORS in docs/Environment.md. "error: "
/// and the reason where the variable is wrong. The text lives until the thread's next call.
__attribute__((visibility("default"))) const char *ckEmulatorGetVectors(void);

/// Statistics of the last launch of the process as a JSON object; "{}" before the first launch.
/// Fields: kernel, chip, grid [x,y,z in workgroups], block [x,y,z], waves, instructions {mfma,
/// valu, salu, smem, vmem, lds, branch, other: wave instructions}, wave_instructions (their sum),
/// lds_bank_conflicts (extra cycles), bytes_loaded, bytes_stored, vgprs, agprs, sgprs, lds_bytes,
/// scratch_bytes (per lane), code_bytes, vgpr_spills, sgpr_spills, seconds. The text lives until
/// the thread's next call of this function.
__attribute__((visibility("default"))) const char *ckEmulatorGetLaunchStatistics(void);

/// Whether the launches that follow keep counts by wave and instruction, which costs about half of
/// the speed (default 0). Their statistics then have an object `profile`: waves_per_group,
/// cache_line_bytes, and instructions, an array of those that were executed in order of their pc:
/// {pc, offset (from the kernel's entry), text, class, executions, and where there were any
/// lds_bank_conflicts, bytes_loaded, bytes_stored, cache_lines (distinct lines of each access, all
/// together)}, each count an array with an entry per number of a wave in its workgroup.
__attribute__((visibility("default"))) void ckEmulatorSetProfiling(int enabled);

/// What the model of time says of the last launch of the process as a JSON object; "{}" when that
/// was not timed (CK_EMULATOR_TIMING) or ended with a fault. These are times of a model, not of a
/// chip and not of the emulation. Fields: kernel, chip, product, mode (on, full, only), reason
/// (where it is not the mode that was asked for), modelled_us (from the start of the kernel to its
/// end), launch_us (before), cycles, clock_mhz, sampled {groups, of}, extrapolated
/// {simulated_instructions, executed_instructions, factor} (where the traces of workgroups had no
/// room for all that they execute), timeline_error (why CK_EMULATOR_TIMING_TRACE could not be
/// written), and those of docs/emulator/time.md;
/// or kernel, chip, product and error. The text lives until the thread's next call of this
/// function.
__attribute__((visibility("default"))) const char *ckEmulatorGetLaunchTiming(void);

#ifdef __cplusplus
}
#endif

#endif // CK_MLIR_EMULATOR_EMULATORAPI_H
