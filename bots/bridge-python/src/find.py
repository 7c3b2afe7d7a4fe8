"""What this interpreter is and where its files are, one fact a line. The bridge runs it once a command."""
import os
import sys
import sysconfig

get = sysconfig.get_config_var
print("version", *sys.version_info[:3])
print("implementation", sys.implementation.name)
print("executable", sys.executable)
print("free_threaded", int(bool(get("Py_GIL_DISABLED"))))
print("home", sys.base_prefix if sys.base_prefix == sys.base_exec_prefix else sys.base_prefix + os.pathsep + sys.base_exec_prefix)
names = [get("INSTSONAME"), get("LDLIBRARY"), "libpython%d.%d.so.1.0" % sys.version_info[:2]]
folders = [get("LIBDIR"), os.path.join(get("LIBDIR") or "", get("MULTIARCH") or ""), get("LIBPL"), os.path.join(sys.base_prefix, "lib")]
if sys.platform == "win32":
    names, folders = ["python%d%d.dll" % sys.version_info[:2]], [sys.base_prefix]
if get("PYTHONFRAMEWORKPREFIX"):
    folders.insert(0, get("PYTHONFRAMEWORKPREFIX"))
for folder in folders:
    for name in names:
        path = folder and name and os.path.join(folder, name)
        if path and not path.endswith(".a") and os.path.isfile(path):
            print("library", os.path.realpath(path))
try:
    import binascii
    import marshal
    import zlib

    # The modules of the bridge, compiled once a command instead of once a game.
    for name, source in zip(sys.argv[1::2], sys.argv[2::2]):
        code = marshal.dumps(compile(source, name, "exec", dont_inherit=True))
        print("code", name, binascii.b2a_base64(zlib.compress(code), newline=False).decode())
except ImportError:
    pass
# Bots may read what belongs to the interpreter or its virtual environment. A .pth file can name any folder, such as a project that
# was installed "editable", and a stranger's bot must not read that.
prefixes = [os.path.realpath(prefix) for prefix in (sys.prefix, sys.exec_prefix, sys.base_prefix, sys.base_exec_prefix)]
for path in [sysconfig.get_path("stdlib"), sysconfig.get_path("platstdlib")] + sys.path:
    real = path and os.path.realpath(path)
    if real and os.path.exists(real) and any(real.startswith(os.path.join(prefix, "")) for prefix in prefixes):
        print("path", real)
