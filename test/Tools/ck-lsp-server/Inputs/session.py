"""Speaks the Language Server Protocol to ck-lsp-server, as an editor does.

Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

usage: session.py SERVER

Prints what the server says about a file that is broken, mended, and asked about.
"""

import json
import subprocess
import sys

FILE = "file:///problem.mlir"
MENDED = """\
#map = #ck.transform_map<(g: 1, m: 32, k: 64) by [] to (g: 1, m: 32, k: 64)>
!view = !ck.view<1x32x64xf16, #map>
func.func @views(%a: memref<1x32x64xf16>) -> !view {
  %view = ck.transform %a : memref<1x32x64xf16> -> !view
  return %view : !view
}
"""
BROKEN = MENDED.replace("!ck.view<1x32x64xf16, #map>", "!ck.view<1x32x48xf16, #map>")
MISFIT = MENDED.replace("%a: memref<1x32x64xf16>", "%a: memref<1x32x64xf32>").replace(
    "%a : memref<1x32x64xf16>", "%a : memref<1x32x64xf32>"
)


class Server:
    """A language server in a process of its own."""

    def __init__(self, path):
        self.process = subprocess.Popen([path], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.calls = 0

    def send(self, method, params, **fields):
        message = {"jsonrpc": "2.0", "method": method, "params": params, **fields}
        body = json.dumps(message).encode()
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)
        self.process.stdin.flush()

    def read(self):
        """The next message of the server."""
        length = 0
        while line := self.process.stdout.readline().strip():
            name, value = line.split(b":")
            if name == b"Content-Length":
                length = int(value)
        assert length, "the server has ended"
        return json.loads(self.process.stdout.read(length))

    def call(self, method, params):
        """The result of a request."""
        self.calls += 1
        self.send(method, params, id=self.calls)
        while (message := self.read()).get("id") != self.calls:
            pass
        return message.get("result")

    def read_diagnostics(self):
        while (message := self.read()).get("method") != "textDocument/publishDiagnostics":
            pass
        return message["params"]["diagnostics"]


def find(text, part):
    """Where `part` stands first in `text`, as the protocol counts."""
    before = text[: text.index(part)]
    return {"line": before.count("\n"), "character": len(before) - before.rfind("\n") - 1}


def show_diagnostics(name, diagnostics):
    print(f"{name}: {len(diagnostics)} diagnostics")
    for diagnostic in diagnostics:
        start = diagnostic["range"]["start"]
        print(f"  {start['line']}:{start['character']}: {diagnostic['message']}")
        for note in diagnostic.get("relatedInformation", []):
            print(f"    {note['location']['range']['start']['line']}: {note['message']}")


def ask(server, text, method, part):
    place = {"textDocument": {"uri": FILE}, "position": find(text, part)}
    return server.call(method, place)


def main(path):
    server = Server(path)
    result = server.call("initialize", {"processId": None, "rootUri": None, "capabilities": {}})
    print("hover", result["capabilities"]["hoverProvider"])
    server.send("initialized", {})
    document = {"uri": FILE, "languageId": "mlir", "version": 1, "text": BROKEN}
    server.send("textDocument/didOpen", {"textDocument": document})
    show_diagnostics("broken", server.read_diagnostics())
    for version, (name, text) in enumerate((("misfit", MISFIT), ("mended", MENDED)), 2):
        change = {
            "textDocument": {"uri": FILE, "version": version},
            "contentChanges": [{"text": text}],
        }
        server.send("textDocument/didChange", change)
        show_diagnostics(name, server.read_diagnostics())
    hover = ask(server, MENDED, "textDocument/hover", "ck.transform %a")
    print("hover:", json.dumps(hover["contents"]["value"]))
    for part in ("%a : memref", "%view : !view", "#map>"):
        targets = ask(server, MENDED, "textDocument/definition", part)
        print(f"definition of {part.split()[0]}:", [t["range"]["start"] for t in targets])
    server.call("shutdown", None)
    server.send("exit", None)
    print("status", server.process.wait())


main(*sys.argv[1:])
