//===- KernelRequest.cpp - What a library is asked for -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See KernelRequest.h.
//
//===----------------------------------------------------------------------===//

#include "ck-mlir/Kernel/KernelRequest.h"
#include "ck-mlir/Problem/Problem.h"
#include "ck-mlir/Schedule/Schedule.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Config/llvm-config.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/SHA256.h"
#include <cstring>
#include <elf.h>
#include <link.h>
#include <set>

using namespace mlir::ck;
using llvm::createStringError;
using llvm::Expected;
using llvm::StringRef;

bool KernelRequest::isModule() const {
  return StringRef(problem).contains('\n') || StringRef(problem).contains('{');
}

Expected<KernelRequest> KernelRequest::canonicalize() const {
  KernelRequest result = *this;
  if (!isModule()) {
    Expected<Problem> parsed = parseProblem(problem);
    if (!parsed)
      return parsed.takeError();
    result.problem = mlir::ck::toString(*parsed);
  }
  if (llvm::Error error = getChip(chip).takeError())
    return std::move(error);
  if (llvm::Error error = parseSchedule(schedule).takeError())
    return std::move(error);
  llvm::SmallVector<StringRef> fields;
  StringRef(schedule).split(fields, ',', /*MaxSplit=*/-1, /*KeepEmpty=*/false);
  llvm::sort(fields);
  result.schedule = llvm::join(fields, ",");
  if (residents < 0 || residents > INT32_MAX)
    return createStringError("resident workgroups must be in [0, 2147483647], got " +
                             llvm::Twine(residents));
  return result;
}

llvm::json::Value KernelRequest::toJson() const {
  return llvm::json::Object{
      {"problem", problem}, {"chip", chip}, {"schedule", schedule}, {"residents", residents}};
}

Expected<KernelRequest> KernelRequest::fromJson(const llvm::json::Value &value) {
  KernelRequest request;
  llvm::json::Path::Root root("request");
  llvm::json::ObjectMapper mapper(value, root);
  if (!mapper || !mapper.map("problem", request.problem) || !mapper.map("chip", request.chip) ||
      !mapper.map("schedule", request.schedule) || !mapper.map("residents", request.residents))
    return root.getError();
  if (value.getAsObject()->size() != request.toJson().getAsObject()->size())
    return createStringError("expected a request of problem, chip, schedule and residents, got " +
                             llvm::formatv("{0}", value).str());
  return request;
}

std::string mlir::ck::getChecksum(StringRef bytes) {
  llvm::SHA256 hash;
  hash.update(bytes);
  return llvm::toHex(hash.final(), /*LowerCase=*/true);
}

std::string KernelRequest::getKey(StringRef compilerVersion) const {
  return getChecksum(
      llvm::formatv("{0}", llvm::json::Value(llvm::json::Array{toJson(), compilerVersion})).str());
}

bool KernelRequest::operator==(const KernelRequest &other) const {
  return std::tie(problem, chip, schedule, residents) ==
         std::tie(other.problem, other.chip, other.schedule, other.residents);
}

std::string mlir::ck::toString(const KernelRequest &request) {
  return request.problem + (request.chip.empty() ? "" : " for " + request.chip) +
         (request.schedule.empty() ? "" : " with " + request.schedule);
}

namespace {
/// A search among the loaded objects: for the one that holds an address, and for those of LLVM.
struct BuildIdSearch {
  uintptr_t address;
  std::set<std::string> ids;
};
} // namespace

static bool contains(const dl_phdr_info &object, uintptr_t address) {
  return llvm::any_of(llvm::ArrayRef(object.dlpi_phdr, object.dlpi_phnum),
                      [&](const ElfW(Phdr) & segment) {
                        uintptr_t start = object.dlpi_addr + segment.p_vaddr;
                        return segment.p_type == PT_LOAD && address - start < segment.p_memsz;
                      });
}

/// The build ID among the notes of a segment; empty if there is none.
static std::string findBuildId(llvm::ArrayRef<uint8_t> notes) {
  while (notes.size() > sizeof(ElfW(Nhdr))) {
    ElfW(Nhdr) note;
    std::memcpy(&note, notes.data(), sizeof(note));
    size_t start = sizeof(note) + llvm::alignTo(note.n_namesz, 4);
    size_t end = start + llvm::alignTo(note.n_descsz, 4);
    if (end > notes.size())
      break;
    if (note.n_type == NT_GNU_BUILD_ID)
      return llvm::toHex(notes.slice(start, note.n_descsz), /*LowerCase=*/true);
    notes = notes.drop_front(end);
  }
  return "";
}

static int visitObject(dl_phdr_info *object, size_t, void *data) {
  auto &search = *static_cast<BuildIdSearch *>(data);
  StringRef path = object->dlpi_name;
  std::string version = llvm::formatv(".so.{0}.{1}", LLVM_VERSION_MAJOR, LLVM_VERSION_MINOR);
  if (!contains(*object, search.address) && !path.contains("libLLVM" + version) &&
      !path.contains("libMLIR" + version))
    return 0;
  for (const ElfW(Phdr) &segment : llvm::ArrayRef(object->dlpi_phdr, object->dlpi_phnum))
    if (segment.p_type == PT_NOTE)
      search.ids.insert(
          findBuildId({reinterpret_cast<const uint8_t *>(object->dlpi_addr + segment.p_vaddr),
                       segment.p_memsz}));
  return 0;
}

const std::string &mlir::ck::getCompilerVersion() {
  static const std::string kVersion = [] {
    BuildIdSearch search{reinterpret_cast<uintptr_t>(&visitObject), {}};
    dl_iterate_phdr(visitObject, &search);
    constexpr size_t digits = 16;
    return llvm::formatv("ck-mlir {0}, LLVM {1}, build {2}", CK_VERSION, LLVM_VERSION_STRING,
                         getChecksum(llvm::join(search.ids, ",")).substr(0, digits))
        .str();
  }();
  return kVersion;
}
