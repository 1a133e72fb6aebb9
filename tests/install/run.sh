#!/bin/sh
# run.sh BUILD_DIR: installs that build under BUILD_DIR/stage and uses it from there:
# with CMake and pkg-config, shared and static, from C and C++. Also checks DESTDIR.
set -eux
build=$(cd "$1" && pwd)
here=$(cd "$(dirname "$0")" && pwd)
stage=$build/stage
used=$build/consumer
rm -rf "$stage" "$used" "$build/destdir"

cmake --install "$build" --prefix "$stage" >/dev/null
cmake -S "$here" -B "$used" -DCMAKE_PREFIX_PATH="$stage" >/dev/null
cmake --build "$used" >/dev/null
for program in c_tamis c_tamis_static cpp_tamis cpp_tamis_static; do
    "$used/$program"
done

# The same folder under another name: nothing in it may remember where it was installed.
mv "$stage" "$stage.moved"
stage=$stage.moved
PKG_CONFIG_PATH=$(dirname "$(find "$stage" -name tamis.pc)")
LD_LIBRARY_PATH=$(pkg-config --with-path "$PKG_CONFIG_PATH" --variable=libdir tamis)
export PKG_CONFIG_PATH LD_LIBRARY_PATH
cc -o "$used/shared" "$here/consumer.c" $(pkg-config --cflags --libs tamis)
"$used/shared"
cc -o "$used/static" "$here/consumer.c" $(pkg-config --cflags tamis) \
    "$LD_LIBRARY_PATH/libtamis.a" $(pkg-config --static --libs-only-other tamis) -lm
LD_LIBRARY_PATH='' "$used/static"

# Only tamis_ names are visible, and the soname carries the major version.
if nm -D --defined-only "$LD_LIBRARY_PATH/libtamis.so" | awk '{ print $3 }' | grep -v '^tamis_'; then
    exit 1
fi
objdump -p "$LD_LIBRARY_PATH/libtamis.so" | grep -q 'SONAME  *libtamis\.so\.[0-9]*$'

DESTDIR=$build/destdir cmake --install "$build" --prefix /usr >/dev/null
test -f "$build/destdir/usr/include/tamis/tamis.h"
if [ -x "$build/tamis" ]; then
    "$stage/bin/tamis" --version
    for file in share/man/man1/tamis.1 share/bash-completion/completions/tamis share/zsh/site-functions/_tamis; do
        test -f "$stage/$file"
    done
fi
rm -rf "$stage" "$used" "$build/destdir"
