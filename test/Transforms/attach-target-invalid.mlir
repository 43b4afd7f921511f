// RUN: not ck-opt %s --ck-attach-target=chip=gfx000 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// RUN: not ck-opt %s --ck-attach-target=chip= 2>&1 | FileCheck %s --check-prefix=EMPTY
// Unknown chips are refused at the module.

// UNKNOWN: error: unknown chip 'gfx000'; expected one of gfx908
// EMPTY: error: unknown chip ''
module {}
