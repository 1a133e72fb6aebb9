# For those who expect a Makefile: CMake does the work, in ./build.
BUILD = build
PREFIX = /usr/local

all:
	cmake -S . -B $(BUILD)
	cmake --build $(BUILD) -j 2

test: all
	cd $(BUILD) && ctest --output-on-failure -L quick

bench:
	cmake -S . -B $(BUILD) -DTAMIS_BUILD_BENCH=ON
	cmake --build $(BUILD) -j 2
	mkdir -p $(BUILD)/bench-results
	status=0; \
	python3 bench/run.py --build $(BUILD) --json $(BUILD)/bench-results/command.json || status=$$?; \
	$(BUILD)/tamis bench --results $(BUILD)/bench-results/engine.json --svg $(BUILD)/bench-results/engine.svg \
		|| status=$$?; \
	exit $$status

install: all
	cmake --install $(BUILD) --prefix $(PREFIX)

clean:
	rm -rf $(BUILD)

.PHONY: all test bench install clean
