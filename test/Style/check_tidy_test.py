#!/usr/bin/env python3
# Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""check_tidy.py reads a compile database, groups its files, and prints each finding once."""

import json
import os
import shutil
import subprocess
import tempfile
import unittest

import check_tidy


class CheckTidyTest(unittest.TestCase):
    def make_tree(self, root, files):
        """A tree with a build folder, whose compile database has the .cpp files of `files`."""
        build = os.path.join(root, "build")
        entries = []
        for path, content in files.items():
            path = os.path.join(root, path)
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with open(path, "w", encoding="utf-8") as file:
                file.write(content)
            if path.endswith(".cpp"):
                command = f"clang++-22 -I{root}/include -c {path}"
                entries.append(dict(file=path, directory=root, command=command))
        os.makedirs(build, exist_ok=True)
        with open(os.path.join(build, "compile_commands.json"), "w", encoding="utf-8") as file:
            json.dump(entries, file)
        return build

    def run_check(self, root, build):
        """The status of check_tidy.py and what it printed."""
        command = ["python3", "-B", check_tidy.__file__, root, build]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        return done.returncode, done.stdout

    def test_precompiled_header_is_left_out(self):
        arguments = ["c++", "-Winvalid-pch", "-Xclang", "-include-pch", "-Xclang"]
        arguments += ["/b/cmake_pch.hxx.pch", "-Xclang", "-include", "-Xclang"]
        arguments += ["/b/cmake_pch.hxx", "-c", "a.cpp"]
        self.assertEqual(check_tidy.strip_precompiled_header(arguments), ["c++", "-c", "a.cpp"])

    def test_files_of_a_folder(self):
        with tempfile.TemporaryDirectory() as root:
            files = {"lib/A/a.cpp": "", "lib/AB/b.cpp": "", "build/lib/A/c.cpp": ""}
            build = self.make_tree(root, files)
            for folders, expected in (
                ([], ["lib/A/a.cpp", "lib/AB/b.cpp"]),
                (["lib/A"], ["lib/A/a.cpp"]),
            ):
                (target,) = check_tidy.read_targets(root, build, folders)
                self.assertEqual(target.directory, root)
                self.assertEqual(target.options, (f"-I{root}/include",))
                self.assertEqual([os.path.relpath(path, root) for path in target.files], expected)

    def test_files_with_other_options_are_another_target(self):
        with tempfile.TemporaryDirectory() as root:
            commands = [("a.cpp", "-O1"), ("b.cpp", "-O2"), ("a.cpp", "-O3"), ("c.cpp", "-O1")]
            entries = [
                dict(file=f"{root}/{name}", directory=root, command=f"c++ {option} -c {name}")
                for name, option in commands
            ]
            with open(os.path.join(root, "compile_commands.json"), "w", encoding="utf-8") as file:
                json.dump(entries, file)
            targets = check_tidy.read_targets(root, os.path.join(root, "."), [])
            self.assertEqual(targets, [])  # the tree is its own build folder: all is generated
            os.mkdir(os.path.join(root, "build"))
            shutil.move(os.path.join(root, "compile_commands.json"), os.path.join(root, "build"))
            targets = check_tidy.read_targets(root, os.path.join(root, "build"), [])
            names = [[os.path.basename(path) for path in target.files] for target in targets]
            self.assertEqual(names, [["a.cpp", "c.cpp"], ["b.cpp"]])
            self.assertEqual([target.options for target in targets], [("-O1",), ("-O2",)])

    def test_checks_of_the_nearest_folder(self):
        files = {".clang-tidy": "", "test/.clang-tidy": "", "lib/A/a.cpp": "", "test/A/b.cpp": ""}
        with tempfile.TemporaryDirectory() as root, tempfile.TemporaryDirectory() as folder:
            targets = check_tidy.read_targets(root, self.make_tree(root, files), [])
            self.assertEqual([target.checks for target in targets], ["", "test"])
            check_tidy.copy_checks(root, folder, targets[1])
            self.assertTrue(os.path.exists(os.path.join(folder, ".clang-tidy")))
            self.assertTrue(os.path.exists(os.path.join(folder, "test", ".clang-tidy")))

    @unittest.skipUnless(shutil.which(check_tidy.TIDY), "there is no " + check_tidy.TIDY)
    def test_checks_of_a_folder_leave_out_findings(self):
        pointer = "int *pointer = 0;\n"
        files = {
            ".clang-tidy": "Checks: '-*,modernize-use-nullptr'\n",
            "test/.clang-tidy": "InheritParentConfig: true\nChecks: '-modernize-use-nullptr,"
            "bugprone-integer-division'\n",
            "lib/a.cpp": pointer,
            "test/b.cpp": pointer,
        }
        with tempfile.TemporaryDirectory() as root:
            status, printed = self.run_check(root, self.make_tree(root, files))
            self.assertEqual(status, 1)
            self.assertIn("lib/a.cpp:1:16: warning:", printed)
            self.assertNotIn("b.cpp", printed)

    def test_definitions_of_a_file(self):
        content = """
#include "a.h"
using namespace n;
namespace n {
struct Shape final : Base {
  int member = 0;
};
enum class Kind { First };
static const Map<int, int> &table(int x, int y = 3) {
  return inner(x);
}
static constexpr unsigned kFirst = 1, kSecond = 2;
static int values[] = {1};
int n::Shape::method() const { return 0; }
TEST(Suite, Name) {}
} // namespace n
"""
        with tempfile.TemporaryDirectory() as root:
            path = os.path.join(root, "a.cpp")
            with open(path, "w", encoding="utf-8") as file:
                file.write(content)
            self.assertEqual(
                check_tidy.read_definitions(path),
                {"Shape", "Kind", "table", "kFirst", "kSecond", "values"},
            )

    @unittest.skipUnless(shutil.which(check_tidy.TIDY), "there is no " + check_tidy.TIDY)
    def test_groups_define_different_names(self):
        files = {f"lib/{name}.cpp": f"static int {name}() {{ return 0; }}\n" for name in "abcd"}
        files["lib/b.cpp"] = files["lib/a.cpp"]
        with tempfile.TemporaryDirectory() as root:
            (target,) = check_tidy.read_targets(root, self.make_tree(root, files), [])
            groups = check_tidy.split_target(root, target, 2)
            names = [[os.path.basename(path) for path in group.files] for group in groups]
            self.assertEqual(names, [["a.cpp", "c.cpp"], ["b.cpp", "d.cpp"]])

    @unittest.skipUnless(shutil.which(check_tidy.TIDY), "there is no " + check_tidy.TIDY)
    def test_unreadable_precompiled_header_is_left_out(self):
        options = ("-Xclang", "-include-pch", "-Xclang", "/none/cmake_pch.hxx.pch", "-O1")
        with tempfile.TemporaryDirectory() as root:
            with open(os.path.join(root, "a.cpp"), "w", encoding="utf-8"):
                pass
            target = check_tidy.Target(root, options, "", [os.path.join(root, "a.cpp")])
            (group,) = check_tidy.split_target(root, target, 2)
            self.assertEqual(group.options, ("-O1",))

    def test_findings_have_their_notes(self):
        output = "2 warnings\n/a.h:1:2: warning: x [c]\n  1 | y\n/a.h:3:4: note: z\n"
        output += "/unit.cpp:1:1: warning: v [e]\n  7 | u\n/a.cpp:5:6: error: w [d]\n"
        self.assertEqual(
            check_tidy.find_findings(output, "/unit.cpp"),
            [
                "/a.h:1:2: warning: x [c]\n  1 | y\n/a.h:3:4: note: z",
                "/a.cpp:5:6: error: w [d]",
            ],
        )

    @unittest.skipUnless(shutil.which(check_tidy.TIDY), "there is no " + check_tidy.TIDY)
    def test_finding_in_a_header_is_printed_once(self):
        header = "inline int *f() { return 0; }\n"
        files = {".clang-tidy": "Checks: '-*,modernize-use-nullptr'\nHeaderFilterRegex: '.*'\n"}
        files |= {f"lib/{name}.cpp": '#include "a.h"\n' for name in ("a", "b")}
        with tempfile.TemporaryDirectory() as root:
            build = self.make_tree(root, files | {"include/a.h": header})
            status, output = self.run_check(root, build)
            self.assertEqual(status, 1)
            self.assertEqual(output.count("[modernize-use-nullptr]"), 1)
            self.assertIn("2 files in 1 groups, 1 findings", output)
            self.make_tree(root, {"include/a.h": header.replace("0", "nullptr")} | files)
            expected = (0, "2 files in 1 groups, 0 findings\n")
            self.assertEqual(self.run_check(root, build), expected)

    @unittest.skipUnless(shutil.which(check_tidy.TIDY), "there is no " + check_tidy.TIDY)
    def test_files_that_do_not_compile_together(self):
        pointers = "int *{0}() {{ return 0; }}\n"
        files = {".clang-tidy": "Checks: '-*,modernize-use-nullptr,clang-diagnostic-*'\n"}
        files["lib/a.cpp"] = "using T = int;\n" + pointers.format("a")
        files["lib/b.cpp"] = "using T = long;\n" + pointers.format("b")
        files["lib/c.cpp"] = pointers.format("c")
        with tempfile.TemporaryDirectory() as root:
            status, output = self.run_check(root, self.make_tree(root, files))
            self.assertEqual(status, 1)
            self.assertEqual(output.count("[modernize-use-nullptr]"), 3)
            self.assertIn("3 files in 1 groups, 3 findings", output)

    @unittest.skipUnless(shutil.which(check_tidy.TIDY), "there is no " + check_tidy.TIDY)
    def test_error_is_a_finding(self):
        files = {".clang-tidy": "Checks: '-*,modernize-use-nullptr,clang-diagnostic-*'\n"}
        files |= {"lib/a.cpp": "int a() { return unknown; }\n", "lib/b.cpp": "int b = 0;\n"}
        with tempfile.TemporaryDirectory() as root:
            status, output = self.run_check(root, self.make_tree(root, files))
            self.assertEqual(status, 1)
            self.assertIn("lib/a.cpp:1:18: error: use of undeclared identifier", output)
            self.assertIn("2 files in 1 groups, 1 findings", output)


if __name__ == "__main__":
    unittest.main()
