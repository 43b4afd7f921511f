//===- IntegerMix.h - A computation for device and host -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Plain C with `uint`, included by OpenCL C and by the test.
//
//===----------------------------------------------------------------------===//

static uint integerMix(uint value, uint i) {
  uint state = value ^ (i * 2654435761u);
  for (uint round = 0; round < 7; ++round) {
    uint divisor = (state & 0xff) + 1;
    state = (state << 13 | state >> 19) + state / divisor;
    int asSigned = (int)state;
    if (asSigned % 3 == 1)
      state ^= (uint)(asSigned >> 5);
    else if (asSigned < -1000)
      state += (uint)((long)asSigned * 77 >> 9);
    unsigned long wide = (unsigned long)state * 0x9e3779b97f4a7c15ul;
    state = (uint)(wide >> 32) + (uint)(unsigned short)wide + (uint)(signed char)(wide >> 8);
    switch (state & 7) {
    case 0:
      state = ~state;
      break;
    case 3:
      state -= i * i;
      break;
    case 5:
      state |= 1u << (i & 31);
      break;
    default:
      state += 11;
    }
  }
  return state;
}

static float floatMix(float value, uint i) {
#pragma STDC FP_CONTRACT OFF
  float result = value;
  for (uint round = 0; round < 4; ++round) {
    result = result * 0.75f + (float)(int)(i - 100u);
    if (result > 50.0f)
      result = result - (float)(uint)result;
    double wide = (double)result * 1.5 + (double)round;
    result = (float)(wide + (double)(int)wide);
    result = result < -3.0f ? -result : result;
  }
  return result;
}
