"""What the scripts about filter files share: file_helper.c, compiled, and a folder."""
import os
import shlex
import subprocess
import tempfile

SOURCE = os.environ.get("TAMIS_SOURCE") or os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
BUILD = os.environ.get("TAMIS_BUILD") or os.path.join(SOURCE, "build")


class Folder:
    """A temporary folder with the helper in it."""

    def __init__(self):
        self.temporary = tempfile.TemporaryDirectory(prefix="tamis-e2e-")
        self.name = self.temporary.name
        self.helper = os.path.join(self.name, "file_helper")
        compiler = shlex.split(os.environ.get("TAMIS_CC") or "cc")
        subprocess.run(compiler + ["-std=c11", "-O1", "-I" + os.path.join(SOURCE, "include"),
                                   os.path.join(SOURCE, "tests", "e2e", "file_helper.c"),
                                   os.path.join(BUILD, "libtamis.a"), "-lm", "-lpthread", "-o", self.helper],
                       check=True)

    def remove(self):
        self.temporary.cleanup()

    def path(self, name):
        return os.path.join(self.name, name)

    def run(self, *arguments, **options):
        return subprocess.run([self.helper, *arguments], check=True, stdout=subprocess.PIPE, **options).stdout

    def start(self, *arguments):
        return subprocess.Popen([self.helper, *arguments], stdout=subprocess.PIPE)
