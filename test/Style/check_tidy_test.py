#!/usr/bin/env python3
# Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""check_tidy.py reads a compile database, and prints a finding in a header once."""

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

    def test_precompiled_header_is_left_out(self):
        arguments = ["c++", "-Winvalid-pch", "-Xclang", "-include-pch", "-Xclang"]
        arguments += ["/b/cmake_pch.hxx.pch", "-Xclang", "-include", "-Xclang"]
        arguments += ["/b/cmake_pch.hxx", "-c", "a.cpp"]
        self.assertEqual(check_tidy.strip_precompiled_header(arguments), ["c++", "-c", "a.cpp"])

    def test_files_of_a_folder(self):
        with tempfile.TemporaryDirectory() as root:
            files = {"lib/A/a.cpp": "", "lib/AB/b.cpp": "", "build/lib/A/c.cpp": ""}
            build = self.make_tree(root, files)
            paths = [
                [os.path.relpath(entry["file"], root) for entry in entries]
                for entries in (
                    check_tidy.read_commands(root, build, []),
                    check_tidy.read_commands(root, build, ["lib/A"]),
                )
            ]
            self.assertEqual(paths, [["lib/A/a.cpp", "lib/AB/b.cpp"], ["lib/A/a.cpp"]])

    def test_findings_have_their_notes(self):
        output = "2 warnings\n/a.h:1:2: warning: x [c]\n  1 | y\n/a.h:3:4: note: z\n"
        output += "/a.cpp:5:6: error: w [d]\n"
        self.assertEqual(
            check_tidy.find_findings(output),
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
            command = ["python3", "-B", check_tidy.__file__, root, build]
            done = subprocess.run(command, capture_output=True, text=True, check=False)
            self.assertEqual(done.returncode, 1)
            self.assertEqual(done.stdout.count("[modernize-use-nullptr]"), 1)
            self.assertIn("2 files, 1 findings", done.stdout)
            self.make_tree(root, {"include/a.h": header.replace("0", "nullptr")} | files)
            done = subprocess.run(command, capture_output=True, text=True, check=False)
            self.assertEqual((done.returncode, done.stdout), (0, "2 files, 0 findings\n"))


if __name__ == "__main__":
    unittest.main()
