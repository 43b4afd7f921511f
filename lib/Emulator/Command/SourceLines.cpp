//===- SourceLines.cpp - Lines of source behind addresses -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See SourceLines.h.
//
//===----------------------------------------------------------------------===//

#include "Emulator/Command/SourceLines.h"
#include "llvm/DebugInfo/DWARF/DWARFContext.h"
#include "llvm/Object/ObjectFile.h"

using namespace ckemu;

std::vector<SourceFrame> ckemu::findSource(llvm::StringRef path, uint64_t address) {
  auto file = llvm::object::ObjectFile::createObjectFile(path);
  if (!file) {
    llvm::consumeError(file.takeError());
    return {};
  }
  auto ignore = [](llvm::Error error) { llvm::consumeError(std::move(error)); };
  std::unique_ptr<llvm::DWARFContext> context = llvm::DWARFContext::create(
      *file->getBinary(), llvm::DWARFContext::ProcessDebugRelocations::Process, nullptr, "", ignore,
      ignore);
  const llvm::DILineInfoSpecifier wanted(
      llvm::DILineInfoSpecifier::FileLineInfoKind::AbsoluteFilePath,
      llvm::DILineInfoSpecifier::FunctionNameKind::ShortName);
  const llvm::DIInliningInfo found = context->getInliningInfoForAddress(
      {address, llvm::object::SectionedAddress::UndefSection}, wanted);
  std::vector<SourceFrame> frames;
  for (uint32_t i = 0; i < found.getNumberOfFrames(); ++i) {
    const llvm::DILineInfo &info = found.getFrame(i);
    if (info.FileName == llvm::DILineInfo::BadString)
      continue;
    const bool isNamed = info.FunctionName != llvm::DILineInfo::BadString;
    frames.push_back(
        {isNamed ? info.FunctionName : std::string(), info.FileName, info.Line, info.Column});
  }
  return frames;
}

std::string ckemu::describePlace(const SourceFrame &frame) {
  std::string text = frame.file + ":" + std::to_string(frame.line);
  return frame.column == 0 ? text : text + ":" + std::to_string(frame.column);
}
