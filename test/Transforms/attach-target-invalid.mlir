// RUN: not ck-opt %s --ck-attach-target=chip=gfx000 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// RUN: not ck-opt %s --ck-attach-target=chip=gfx908 2>&1 | FileCheck %s --check-prefix=TABLE
// RUN: not ck-opt %s --ck-attach-target=chip= 2>&1 | FileCheck %s --check-prefix=EMPTY
// Chips that are unknown, or known but not generated for, are refused at the module.

// UNKNOWN: error: unknown chip 'gfx000'; expected one of gfx908
// TABLE: error: no kernels are generated for 'gfx908' yet
// EMPTY: error: unknown chip ''
module {}
