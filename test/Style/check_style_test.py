#!/usr/bin/env python3
# Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Each rule of check_style.py finds a violation of it and accepts the fixed file."""

import os
import tempfile
import unittest

import check_style


class CheckStyleTest(unittest.TestCase):
    def run_rule(self, rule, files):
        """Messages of `rule` on a tree of `files` (path to content)."""
        with tempfile.TemporaryDirectory() as root:
            for path, content in files.items():
                os.makedirs(os.path.dirname(os.path.join(root, path)), exist_ok=True)
                with open(os.path.join(root, path), "w", encoding="utf-8") as file:
                    file.write(content)
            return [message for _, _, message in check_style.RULES[rule](root)]

    def test_include_of_a_higher_component(self):
        found = self.run_rule(
            "dependencies", {"lib/Schedule/A.cpp": '#include "ck-mlir/IR/CK.h"\n'}
        )
        self.assertEqual(found, ["Schedule must not include IR: ck-mlir/IR/CK.h"])

    def test_include_of_a_lower_component(self):
        text = '#include "ck-mlir/Support/File.h"\n#include "mlir/IR/Builders.h"\n'
        files = {"lib/IR/A.cpp": text}
        self.assertEqual(self.run_rule("dependencies", files), [])

    def test_include_of_the_c_api(self):
        include = '#include "ck-mlir-c/Chip.h"\n'
        self.assertEqual(self.run_rule("dependencies", {"lib/CAPI/A.cpp": include}), [])
        self.assertEqual(
            self.run_rule("dependencies", {"lib/Run/A.cpp": include}),
            ["Run must not include the C API: ck-mlir-c/Chip.h"],
        )

    def test_include_of_an_internal_header(self):
        files = {"lib/Tools/A.cpp": '#include "Run/Execute.h"\n'}
        self.assertEqual(
            self.run_rule("dependencies", files),
            ["Tools must not include what is internal to Run: Run/Execute.h"],
        )

    def test_judge_shares_nothing_with_the_judged(self):
        files = {
            "lib/Emulator/A.cpp": '#include "ck-mlir/Chip/ChipInfo.h"\n',
            "lib/Reference/B.cpp": '#include "ck-mlir/Chip/ChipInfo.h"\n',
            "include/ck-mlir/Runtime/C.h": '#include "mlir/IR/Builders.h"\n',
            "lib/Emulator/D.cpp": '#include "llvm/Passes/PassBuilder.h"\n',
        }
        self.assertEqual(len(self.run_rule("dependencies", files)), 4)

    def test_link_of_a_higher_component(self):
        files = {"lib/Runtime/CMakeLists.txt": "add_ck_library(CKRuntime\n  LIBS CKCompiler)\n"}
        self.assertEqual(self.run_rule("dependencies", files), ["Runtime must not link CKCompiler"])

    def test_private_headers_are_hidden(self):
        hidden = (
            "#pragma GCC visibility push(hidden)\n\nnamespace mlir::ck {\n}\n\n"
            "#pragma GCC visibility pop\n"
        )
        self.assertEqual(self.run_rule("visibility", {"lib/Run/A.h": hidden}), [])
        open_header = {"lib/Run/A.h": "namespace mlir::ck {\n}\n"}
        self.assertEqual(len(self.run_rule("visibility", open_header)), 1)

    def test_classes_of_source_files_are_hidden(self):
        text = "namespace mlir::ck {\n/// Reads.\nclass %sReader {\n};\n}\n"
        hidden = {"lib/Run/A.cpp": text % "LLVM_LIBRARY_VISIBILITY "}
        self.assertEqual(self.run_rule("visibility", hidden), [])
        self.assertEqual(
            self.run_rule("visibility", {"lib/Run/A.cpp": text % ""}),
            ["expected LLVM_LIBRARY_VISIBILITY before 'Reader'"],
        )
        unnamed = {"lib/Run/A.cpp": "namespace {\nclass Reader {\n};\n}\n"}
        self.assertEqual(self.run_rule("visibility", unnamed), [])

    def test_layers_of_the_emulator(self):
        below = '#include "Emulator/Decode/B.h"\n#include "llvm/ADT/Twine.h"\n'
        self.assertEqual(self.run_rule("layers", {"lib/Emulator/Isa/Vector/A.cpp": below}), [])
        above = {"lib/Emulator/Decode/A.cpp": '#include "Emulator/Isa/Vector/B.h"\n'}
        self.assertEqual(
            self.run_rule("layers", above), ["Decode must not include Emulator/Isa/Vector/B.h"]
        )
        parent = {"lib/Emulator/Isa/Vector/A.cpp": '#include "Emulator/Isa/B.h"\n'}
        self.assertEqual(len(self.run_rule("layers", parent)), 1)
        beside = {"lib/Emulator/Hip/Memory/A.cpp": '#include "Emulator/Hip/State.h"\n'}
        self.assertEqual(self.run_rule("layers", beside), [])
        relative = {"lib/Emulator/Isa/Vector/A.cpp": '#include "B.h"\n'}
        self.assertEqual(self.run_rule("layers", relative), ["expected the path from lib: B.h"])
        flat = {"lib/Emulator/A.cpp": "int a;\n"}
        self.assertEqual(len(self.run_rule("layers", flat)), 1)

    def test_text(self):
        files = {
            "lib/A.cpp": "int a; \n",
            "lib/C.cpp": "// TO" + "DO later\n",
            "lib/D.cpp": "int d;",
            "lib/E.cpp": "int e;\n" * 900,
            "lib/F.cpp": "\tint f;\n",
        }
        self.assertEqual(len(self.run_rule("text", files)), 5)
        self.assertEqual(self.run_rule("text", {"lib/A.cpp": "int a;\n"}), [])

    def test_length(self):
        line = "int a;\n"
        self.assertEqual(self.run_rule("text", {"test/A.cpp": line * 500}), [])
        self.assertEqual(
            self.run_rule("text", {"test/A.cpp": line * 501}),
            ["expected at most 500 lines, got 501"],
        )

    def test_width(self):
        self.assertEqual(len(self.run_rule("width", {"lib/A.cpp": "//" + "-" * 99 + "\n"})), 1)
        self.assertEqual(self.run_rule("width", {"lib/A.cpp": "//" + "-" * 98 + "\n"}), [])

    def test_functions(self):
        function = "static int f(int a,\n             int b) {{\n{}}}\n"
        declaration = "int g();\nnamespace x {\n" + "// line\n" * 70 + "} // namespace x\n"
        good = {"lib/A.cpp": declaration + function.format("  a;\n" * 57)}
        self.assertEqual(self.run_rule("functions", good), [])
        bad = {"lib/A.cpp": declaration + function.format("  a;\n" * 58)}
        self.assertEqual(self.run_rule("functions", bad), ["expected at most 60 lines, got 61"])
        bad = {"test/A.cpp": "TEST(A, Long) {\n" + "  a;\n" * 59 + "}\n"}
        self.assertEqual(self.run_rule("functions", bad), ["expected at most 60 lines, got 61"])

    def test_functions_of_one_line_and_uses_of_macros(self):
        short = "USE(f)\n" + "int g() { return 1; }\n" * 70 + "int h() {\n  a;\n}\n"
        self.assertEqual(self.run_rule("functions", {"lib/A.cpp": short}), [])

    def test_functions_of_scripts(self):
        function = "class A:\n    def f():\n" + "        pass\n" * 59
        self.assertEqual(self.run_rule("functions", {"test/a.py": function}), [])
        bad = {"test/a": "#!/usr/bin/env python3\n" + function + "        pass\n"}
        self.assertEqual(self.run_rule("functions", bad), ["expected at most 60 lines, got 61"])

    def test_folders(self):
        files = {f"lib/A/{i}.cpp": "" for i in range(25)} | {"lib/A/B/C.cpp": ""}
        self.assertEqual(self.run_rule("folders", files), [])
        self.assertEqual(
            self.run_rule("folders", files | {"lib/A/D.h": ""}),
            ["expected at most 25 files, got 26"],
        )

    def test_format(self):
        good = {"lib/A.cpp": "int a;\n", "test/a.py": 'A = "a"\n', "test/b": "b  = 1\n"}
        self.assertEqual(self.run_rule("format", good), [])
        script = "#!/usr/bin/env python3\nA = 'a'\n"
        bad = {"lib/A.cpp": "int  a;\n", "lib/B.cpp": "int b;\n", "test/a": script}
        self.assertEqual(
            self.run_rule("format", bad),
            ["not formatted with clang-format-22", "not formatted with black"],
        )
        broken = {"test/a.py": "A = (\n"}
        self.assertTrue(self.run_rule("format", broken)[0].startswith("black failed: "))

    def test_readme(self):
        readme = {"README.md": "# A\n```sh\nmake\nctest --test-dir build\n```\n"}
        self.assertEqual(self.run_rule("readme", readme), [])
        both = {"README.md": "```sh\nmake ck-run\nmake && ctest --test-dir build\n```\n"}
        self.assertEqual(self.run_rule("readme", both), [])
        hidden = {"README.md": "```sh\nmake\nctest --test-dir build; true\n```\n"}
        self.assertEqual(len(self.run_rule("readme", hidden)), 1)
        self.assertEqual(len(self.run_rule("readme", {"README.md": "# A\n"})), 1)
        other = {"README.md": "```sh\nmake\nmake test\n```\n"}
        self.assertEqual(len(self.run_rule("readme", other)), 1)

    def test_banner(self):
        good = f"//===- A.cpp - Why -*- C++ -*-===//\n//\n// {check_style.BANNER}\n"
        self.assertEqual(self.run_rule("banners", {"lib/A.cpp": good}), [])
        self.assertEqual(len(self.run_rule("banners", {"lib/B.cpp": good})), 1)
        self.assertEqual(len(self.run_rule("banners", {"lib/A.cpp": "int a;\n"})), 2)

    def test_duplicate_let(self):
        record = "def A : B {{\n  let x = [{{ let y = 1; let y = 2; }}];\n  let {} = 2;\n}}\n"
        self.assertEqual(self.run_rule("tablegen", {"lib/A.td": record.format("y")}), [])
        self.assertEqual(
            self.run_rule("tablegen", {"lib/A.td": record.format("x")}), ["'x' is set twice in A"]
        )

    def run_examples(self, kind, description, test):
        """What the rule says about a record of `kind` whose description ends with an example."""
        record = f'def A : {kind} {{\n  let summary = "s";\n  let description = [{{\n'
        record += f"    Example (test/IR/conv.mlir):\n{description}\n  }}];\n}}\n"
        files = {"include/A.td": record, "test/IR/conv.mlir": test}
        return self.run_rule("examples", files)

    def test_examples(self):
        ir = "    ```mlir\n    ck.conv ins(%a) {{\n      ck.yield\n    }}\n    ```\n"
        test = "func.func @f() {{\n  ck.conv ins(%a) {{\n    // CHECK: a\n    ck.yield\n  }}\n}}\n"
        op = 'CK_Op<"conv", [Pure]>'
        self.assertEqual(self.run_examples(op, ir, test), [])
        self.assertEqual(
            self.run_examples(op, ir.replace("%a", "%b"), test),
            ["the IR in the description of ck.conv is not that of test/IR/conv.mlir"],
        )
        self.assertEqual(self.run_examples(op, "", test), ["the description of ck.conv has no IR"])
        self.assertEqual(
            self.run_examples(op, ir, "ck.convolution\n"),
            ["test/IR/conv.mlir does not use ck.conv"],
        )
        self.assertEqual(
            self.run_examples('CK_Op<"conv">', "    ```mlir\n    ck.yield\n    ```", test),
            ["the IR in the description of ck.conv does not use it"],
        )

    def test_examples_of_types_and_attributes(self):
        ir = "    ```mlir\n    !ck.view<4>\n\n    #ck.map<2>\n    ```\n"
        test = "#m = #ck.map<2>\n!v = !ck.view<4>\n"
        self.assertEqual(self.run_examples('CK_Type<"View", "view">', ir, test), [])
        self.assertEqual(self.run_examples('CK_Attr<"Map", "map">', ir, test), [])
        self.assertEqual(
            self.run_examples('CK_Attr<"Map", "map">', ir, "!v = !ck.view<4>\n"),
            ["the IR in the description of #ck.map is not that of test/IR/conv.mlir"],
        )

    def test_examples_that_are_missing(self):
        record = 'def A : CK_Op<"conv"> {\n  let summary = "s";\n  let description = [{ x }];\n}\n'
        self.assertEqual(
            self.run_rule("examples", {"include/A.td": record}),
            ["the description of ck.conv names no tested example"],
        )
        record = record.replace("{ x }", "{ test/IR/a.mlir }")
        self.assertEqual(
            self.run_rule("examples", {"include/A.td": record}),
            ["the example of ck.conv does not exist: test/IR/a.mlir"],
        )

    def test_environment(self):
        page = {"docs/Environment.md": "| `CK_A` | x |\n| `CK_B` | y |\n"}
        good = {"lib/A.cpp": 'getenv("CK_A"); getenv("CK_B");\n', **page}
        self.assertEqual(self.run_rule("environment", good), [])
        bad = {"lib/A.cpp": 'getenv("CK_A"); getenv("CK_C");\n', **page}
        self.assertEqual(
            self.run_rule("environment", bad),
            ["CK_C is not in docs/Environment.md", "no code reads CK_B"],
        )

    def test_docs(self):
        quote = "<!-- from test/a.cpp -->\n```cpp\nint a;\n```\n"
        good = {"README.md": "[d](docs/a.md)\n", "docs/a.md": quote, "test/a.cpp": "int a;\n"}
        self.assertEqual(self.run_rule("docs", good), [])
        bad = {"README.md": "[d](docs/b.md)\n", "docs/a.md": quote, "test/a.cpp": "int b;\n"}
        self.assertEqual(
            self.run_rule("docs", bad),
            ["dead link: docs/b.md", "the code quoted from test/a.cpp differs"],
        )

    def test_files_that_docs_name(self):
        page = "`lib/A`, `lib/A/b.cpp`, `b.md`\n```sh\nlib/of/a/build\n```\n"
        files = {"README.md": "", "lib/A/b.cpp": "", "docs/a.md": page, "docs/b.md": ""}
        self.assertEqual(self.run_rule("docs", files), [])
        del files["lib/A/b.cpp"]
        self.assertEqual(
            self.run_rule("docs", files),
            [f"names a file that does not exist: {name}" for name in ("lib/A", "lib/A/b.cpp")],
        )


if __name__ == "__main__":
    unittest.main()
