//===- RingProtocol.cpp - Whether the roles of a kernel keep step -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Every role is read as the list of its meetings: runs of consecutive steps of a ring, syncs, and
// the loops and branches around them. Peeled and unrolled loops over steps become one run, so that
// roles that count in different ways can be compared.
//
//===----------------------------------------------------------------------===//

#include "IR/Verify/RingProtocol.h"
#include "IR/Verify/SymbolicIndex.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace mlir::ck;

namespace {

/// A place where the waves of a workgroup meet, or control flow around such places.
struct Meeting {
  enum Kind { Steps, Sync, Store, Loop, Branch };

  Kind kind = Sync;
  Operation *op = nullptr;
  std::string ring; // Steps: name of the ring
  /// Steps: the run [begin, end). Loop: bounds. Branch: the condition is `begin`.
  SymbolicIndex begin, end, stride;
  std::vector<Meeting> body, otherwise; // of a loop; of both sides of a branch
};

/// Reads the meetings of one role at its commits or at its waits.
class MeetingReader {
public:
  MeetingReader(Region &region, bool atCommits) : atCommits(atCommits), indices(region) {}

  FailureOr<std::vector<Meeting>> read(Block &block);

private:
  FailureOr<std::optional<Meeting>> readOp(Operation &op);
  FailureOr<std::optional<Meeting>> readLoop(scf::ForOp loop);
  FailureOr<std::optional<Meeting>> readBranch(scf::IfOp branch);
  template <typename Op>
  Meeting makeStep(Op op, Value step) {
    Meeting meeting;
    meeting.kind = Meeting::Steps;
    meeting.op = op;
    meeting.ring = indices.get(op.getRing()).str();
    meeting.begin = indices.get(step);
    meeting.end = meeting.begin + 1;
    return meeting;
  }

  bool atCommits;
  SymbolicIndices indices;
  unsigned depth = 0;
};

} // namespace

/// Appends `meeting`, or lengthens the run that it continues.
static void append(std::vector<Meeting> &meetings, Meeting meeting) {
  if (meeting.kind == Meeting::Steps) {
    if (meeting.begin == meeting.end)
      return;
    if (!meetings.empty() && meetings.back().kind == Meeting::Steps &&
        meetings.back().ring == meeting.ring && meetings.back().end == meeting.begin) {
      meetings.back().end = meeting.end;
      return;
    }
  }
  meetings.push_back(std::move(meeting));
}

FailureOr<std::vector<Meeting>> MeetingReader::read(Block &block) {
  std::vector<Meeting> meetings;
  for (Operation &op : block) {
    FailureOr<std::optional<Meeting>> meeting = readOp(op);
    if (failed(meeting))
      return failure();
    if (*meeting)
      append(meetings, std::move(**meeting));
  }
  return meetings;
}

FailureOr<std::optional<Meeting>> MeetingReader::readOp(Operation &op) {
  if (auto commit = dyn_cast<CommitOp>(op)) {
    auto acquire = commit.getSlot().getDefiningOp<AcquireOp>();
    if (!acquire)
      return commit.emitOpError("expected the slot of a 'ck.acquire'"), failure();
    if (!atCommits)
      return std::optional<Meeting>();
    Meeting meeting = makeStep(acquire, acquire.getStep());
    meeting.op = commit;
    return std::optional<Meeting>(meeting);
  }
  if (auto commit = dyn_cast<CommitCopiesOp>(op))
    return atCommits ? makeStep(commit, commit.getStep()) : std::optional<Meeting>();
  if (auto wait = dyn_cast<WaitOp>(op))
    return atCommits ? std::optional<Meeting>() : makeStep(wait, wait.getStep());
  auto store = dyn_cast<StoreTileOp>(op);
  if (isa<SyncOp>(op) || (store && store.getRing())) {
    Meeting meeting;
    meeting.kind = store ? Meeting::Store : Meeting::Sync;
    meeting.op = &op;
    return std::optional<Meeting>(meeting);
  }
  if (auto loop = dyn_cast<scf::ForOp>(op))
    return readLoop(loop);
  if (auto branch = dyn_cast<scf::IfOp>(op))
    return readBranch(branch);
  WalkResult hidden = op.walk([](Operation *inner) {
    return isa<CommitOp, CommitCopiesOp, WaitOp, SyncOp>(inner) ? WalkResult::interrupt()
                                                                : WalkResult::advance();
  });
  if (hidden.wasInterrupted())
    return op.emitOpError("cannot hold steps of a ring: expected 'scf.for' and 'scf.if' only"),
           failure();
  return std::optional<Meeting>();
}

FailureOr<std::optional<Meeting>> MeetingReader::readLoop(scf::ForOp loop) {
  std::string counter = "counter " + std::to_string(depth++);
  indices.name(loop.getInductionVar(), counter);
  FailureOr<std::vector<Meeting>> body = read(*loop.getBody());
  --depth;
  if (failed(body) || body->empty())
    return failed(body) ? FailureOr<std::optional<Meeting>>(failure()) : std::optional<Meeting>();
  Meeting meeting;
  meeting.kind = Meeting::Loop;
  meeting.op = loop;
  meeting.begin = indices.get(loop.getLowerBound());
  meeting.end = indices.get(loop.getUpperBound());
  meeting.stride = indices.get(loop.getStep());

  // A run of as many steps as the loop counts is part of a longer run.
  const Meeting &first = body->front();
  SymbolicIndex start = first.begin - SymbolicIndex::unknown(counter);
  std::optional<int64_t> stride = meeting.stride.getConstant(), offset = start.getConstant();
  if (body->size() == 1 && first.kind == Meeting::Steps && stride && offset &&
      first.end == first.begin + *stride) {
    if (std::optional<SymbolicIndex> end = roundUp(meeting.begin, meeting.end, *stride)) {
      meeting.kind = Meeting::Steps;
      meeting.ring = first.ring;
      meeting.begin = meeting.begin + *offset;
      meeting.end = *end + *offset;
      meeting.stride = SymbolicIndex();
      return std::optional<Meeting>(meeting);
    }
  }
  meeting.body = std::move(*body);
  return std::optional<Meeting>(meeting);
}

FailureOr<std::optional<Meeting>> MeetingReader::readBranch(scf::IfOp branch) {
  Meeting meeting;
  meeting.kind = Meeting::Branch;
  meeting.op = branch;
  meeting.begin = indices.get(branch.getCondition());
  FailureOr<std::vector<Meeting>> body = read(*branch.thenBlock());
  if (failed(body))
    return failure();
  meeting.body = std::move(*body);
  if (Block *otherwise = branch.elseBlock()) {
    FailureOr<std::vector<Meeting>> meetings = read(*otherwise);
    if (failed(meetings))
      return failure();
    meeting.otherwise = std::move(*meetings);
  }
  if (meeting.body.empty() && meeting.otherwise.empty())
    return std::optional<Meeting>();
  return std::optional<Meeting>(meeting);
}

//===----------------------------------------------------------------------===//
// Roles against each other
//===----------------------------------------------------------------------===//

static std::string describe(const Meeting &meeting) {
  switch (meeting.kind) {
  case Meeting::Steps:
    return "steps [" + meeting.begin.str() + ", " + meeting.end.str() + ")";
  case Meeting::Sync:
    return "a sync";
  case Meeting::Store:
    return "a store";
  case Meeting::Loop:
    return "a loop from " + meeting.begin.str() + " to " + meeting.end.str() + " step " +
           meeting.stride.str();
  case Meeting::Branch:
    return "a branch on " + meeting.begin.str();
  }
  llvm_unreachable("covered switch");
}

/// Verifies that both roles come to the same meetings in the same order.
static LogicalResult compare(Operation *parent, const std::vector<Meeting> &writers,
                             const std::vector<Meeting> &readers) {
  for (size_t i = 0; i < std::max(writers.size(), readers.size()); ++i) {
    const Meeting *writer = i < writers.size() ? &writers[i] : nullptr;
    const Meeting *reader = i < readers.size() ? &readers[i] : nullptr;
    bool same = writer && reader && writer->kind == reader->kind && writer->ring == reader->ring &&
                writer->begin == reader->begin && writer->end == reader->end &&
                writer->stride == reader->stride;
    if (!same) {
      InFlightDiagnostic diag = (writer ? writer->op : parent)->emitOpError();
      diag << "expected the roles to meet as often: where 'load' has "
           << (writer ? describe(*writer) : "nothing") << ", 'math' has "
           << (reader ? describe(*reader) : "nothing");
      if (reader)
        diag.attachNote(reader->op->getLoc()) << "the meeting of 'math' is here";
      return diag;
    }
    if (failed(compare(writer->op, writer->body, reader->body)) ||
        failed(compare(writer->op, writer->otherwise, reader->otherwise)))
      return failure();
  }
  return success();
}

/// Stores through a ring are no meetings: they only stand between some.
static void dropStores(std::vector<Meeting> &meetings) {
  llvm::erase_if(meetings, [](const Meeting &meeting) { return meeting.kind == Meeting::Store; });
  for (Meeting &meeting : meetings) {
    dropStores(meeting.body);
    dropStores(meeting.otherwise);
  }
  llvm::erase_if(meetings, [](const Meeting &meeting) {
    bool around = meeting.kind == Meeting::Loop || meeting.kind == Meeting::Branch;
    return around && meeting.body.empty() && meeting.otherwise.empty();
  });
}

/// Verifies that no run of steps, or store through a ring, follows another one before all waves
/// have met: `open` says that one may have ended just before `meetings`, and on return just before
/// their end.
static LogicalResult verifySyncs(const std::vector<Meeting> &meetings, bool &open) {
  for (const Meeting &meeting : meetings) {
    bool other = open;
    switch (meeting.kind) {
    case Meeting::Sync:
      open = false;
      break;
    case Meeting::Steps:
      if (open)
        return meeting.op->emitOpError(
            "expected a 'ck.sync' between the steps of two block GEMMs, and "
            "behind a store through their ring");
      open = true;
      break;
    case Meeting::Store:
      if (open)
        return meeting.op->emitOpError("expected a 'ck.sync' between steps and a store through "
                                       "their ring");
      open = true;
      break;
    case Meeting::Loop: // the body follows what stands before the loop, and itself
      for (int iteration = 0; iteration < 2; ++iteration)
        if (failed(verifySyncs(meeting.body, open)))
          return failure();
      open |= other;
      break;
    case Meeting::Branch:
      if (failed(verifySyncs(meeting.body, open)) || failed(verifySyncs(meeting.otherwise, other)))
        return failure();
      open |= other;
      break;
    }
  }
  return success();
}

//===----------------------------------------------------------------------===//
// Waves that read and write
//===----------------------------------------------------------------------===//

namespace {

/// Follows waves that both commit and wait through their region.
class UniformOrder {
public:
  /// With `waitsAtCommits`, of waves that only commit: all waves meet there.
  explicit UniformOrder(Region &region, bool waitsAtCommits = false)
      : indices(region), waitsAtCommits(waitsAtCommits) {}

  LogicalResult verify(Block &block);
  /// Verifies that all that was committed has been waited for.
  LogicalResult finish(Operation *op);

private:
  LogicalResult commit(Operation *op, int64_t slots, Value index);
  LogicalResult copy(CopyTileOp op);
  LogicalResult wait(WaitOp op);
  LogicalResult loop(scf::ForOp op);
  LogicalResult branch(scf::IfOp op);

  SymbolicIndices indices;
  bool waitsAtCommits;
  unsigned depth = 0;
  bool started = false;
  SymbolicIndex committed, waited; // ends of the steps of the run, if one has started
};

} // namespace

LogicalResult UniformOrder::verify(Block &block) {
  for (Operation &op : block) {
    LogicalResult result = success();
    if (auto commitOp = dyn_cast<CommitOp>(op))
      result = commit(commitOp, commitOp.getSlot().getType().getRing().getSlots(),
                      commitOp.getSlot().getDefiningOp<AcquireOp>().getStep());
    else if (auto copiesOp = dyn_cast<CommitCopiesOp>(op))
      result = commit(copiesOp, copiesOp.getRing().getType().getSlots(), copiesOp.getStep());
    else if (auto copyOp = dyn_cast<CopyTileOp>(op))
      result = copy(copyOp);
    else if (auto waitOp = dyn_cast<WaitOp>(op))
      result = wait(waitOp);
    else if (auto forOp = dyn_cast<scf::ForOp>(op))
      result = loop(forOp);
    else if (auto ifOp = dyn_cast<scf::IfOp>(op))
      result = branch(ifOp);
    if (failed(result))
      return failure();
  }
  return success();
}

LogicalResult UniformOrder::finish(Operation *op) {
  if (started && committed != waited)
    return op->emitOpError(
               "expected a 'ck.wait' for every step that is committed, got steps up to ")
           << committed.str() << " committed and up to " << waited.str() << " waited for";
  started = false;
  return success();
}

LogicalResult UniformOrder::commit(Operation *op, int64_t slots, Value index) {
  SymbolicIndex step = indices.get(index);
  if (!started || (committed == waited && step != committed)) {
    started = true;
    waited = step;
  } else if (step != committed) {
    return op->emitOpError("expected steps in order: step ")
           << committed.str() << " is next, got " << step.str();
  }
  // Of the slot's previous step all readers are done when the wait of the step after it is passed.
  std::optional<int64_t> ahead = (step - waited).getConstant();
  if (!ahead || *ahead > std::max<int64_t>(slots - 2, 0))
    return op->emitOpError("writes step ")
           << step.str() << " into a slot that may still be read: of " << slots
           << " slots, and steps up to " << waited.str() << " waited for";
  committed = step + 1;
  if (waitsAtCommits)
    waited = committed;
  return success();
}

/// A copy overwrites its slot at once. Those in front of the first commit of a kernel find all
/// slots free.
LogicalResult UniformOrder::copy(CopyTileOp op) {
  auto acquire = op.getSlot().getDefiningOp<AcquireOp>();
  if (!acquire)
    return op.emitOpError("expected the slot of a 'ck.acquire'");
  int64_t slots = acquire.getRing().getType().getSlots(op.getOperand());
  SymbolicIndex step = indices.get(acquire.getStep());
  std::optional<int64_t> ahead = (step - waited).getConstant();
  if (!started || depth == 0 || (ahead && *ahead <= slots - 2))
    return success();
  return op.emitOpError("copies step ")
         << step.str() << " into a slot that may still be read: of " << slots
         << " slots, and steps up to " << waited.str() << " waited for";
}

LogicalResult UniformOrder::wait(WaitOp op) {
  SymbolicIndex step = indices.get(op.getStep());
  std::optional<int64_t> ahead = (committed - step).getConstant();
  if (!started)
    return op.emitOpError("expected a 'ck.commit' of step ") << step.str() << " before";
  if (step != waited || !ahead || *ahead < 1)
    return op.emitOpError("expected step ")
           << waited.str() << " next, of steps up to " << committed.str()
           << " that are committed, got " << step.str();
  waited = step + 1;
  return success();
}

LogicalResult UniformOrder::loop(scf::ForOp op) {
  std::string name = "counter " + std::to_string(depth);
  SymbolicIndex begin = indices.get(op.getLowerBound()), end = indices.get(op.getUpperBound()),
                counter = SymbolicIndex::unknown(name);
  std::optional<int64_t> stride = getConstantIntValue(op.getStep());
  bool inside = started;
  SymbolicIndex ahead = committed - begin, behind = waited - begin; // of the counter
  indices.name(op.getInductionVar(), name);
  if (inside) {
    (committed = counter).add(ahead);
    (waited = counter).add(behind);
  }
  SymbolicIndex entered = committed;
  ++depth;
  if (failed(verify(*op.getBody())))
    return failure();
  --depth;
  if (!inside) // whole runs only
    return finish(op);
  if (committed == entered && waited == committed) { // no steps in here
    (committed = begin).add(ahead);
    (waited = begin).add(behind);
    return success();
  }
  SymbolicIndex next = stride ? counter + *stride : counter;
  std::optional<SymbolicIndex> last = stride ? roundUp(begin, end, *stride) : std::nullopt;
  if (!last || committed - next != ahead || waited - next != behind)
    return op.emitOpError("expected each iteration to commit and to wait for as many steps as it "
                          "counts");
  (committed = *last).add(ahead);
  (waited = *last).add(behind);
  return success();
}

LogicalResult UniformOrder::branch(scf::IfOp op) {
  UniformOrder before = *this;
  if (failed(verify(*op.thenBlock())))
    return failure();
  UniformOrder after = *this;
  *this = before;
  if (Block *otherwise = op.elseBlock())
    if (failed(verify(*otherwise)))
      return failure();
  bool same = started == after.started && committed == after.committed && waited == after.waited;
  return same ? success() : success(succeeded(finish(op)) && succeeded(after.finish(op)));
}

LogicalResult ck::verifyRingProtocol(WaveSpecializeOp op) {
  Region &first = op.getRegions().front(), &last = op.getRegions().back();
  FailureOr<std::vector<Meeting>> writers = MeetingReader(first, true).read(first.front());
  FailureOr<std::vector<Meeting>> readers = MeetingReader(last, false).read(last.front());
  bool open = false;
  if (failed(writers) || failed(readers) || failed(verifySyncs(*readers, open)))
    return failure();
  dropStores(*writers);
  dropStores(*readers);
  bool split = &first != &last;
  if (split && failed(compare(op, *writers, *readers)))
    return failure();
  WalkResult copies = first.walk([](CopyTileOp) { return WalkResult::interrupt(); });
  if (split && !copies.wasInterrupted())
    return success();
  UniformOrder order(first, /*waitsAtCommits=*/split);
  return success(succeeded(order.verify(first.front())) && succeeded(order.finish(op)));
}
