// RUN: ck-opt %s --ck-attach-target=chip=gfx000 --verify-diagnostics
// RUN: ck-opt %s --ck-attach-target=chip= --verify-diagnostics
// Chips that the table does not have are refused at the module, the empty name among them.

// expected-error-re @below {{unknown chip '{{(gfx000)?}}'; expected one of gfx908, gfx90a, }}
module {}
