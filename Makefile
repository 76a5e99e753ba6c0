# The commands of the project; README.md says when to use which.
SHELL := /bin/bash
.DEFAULT_GOAL := build
.PHONY: build demo run test test-tsan bench lint clean

# One static Swift runtime in each program: nothing of Swift is needed where they run.
RELEASE := --configuration release --static-swift-stdlib
PROGRAMS := storiesd storiesctl

build:
	@.ci/packages build
	@for program in $(PROGRAMS); do swift build $(RELEASE) --product $$program || exit; done

demo: build
	@swift build $(RELEASE) --product demo-origin
	@Tests/Demo/run "$$(swift build $(RELEASE) --show-bin-path)"

run: build
	@exec "$$(swift build $(RELEASE) --show-bin-path)/storiesd" $(ARGUMENTS)

test:
	@.ci/packages test
	@swift test --disable-xctest --no-parallel

# Everything again under ThreadSanitizer, the programs included: slower by far. A race ends the program that has it, and
# so fails its test.
test-tsan:
	@.ci/packages test
	@TSAN_OPTIONS=halt_on_error=1 swift test --disable-xctest --no-parallel --sanitize=thread --scratch-path .build/tsan

# `make bench ARGUMENTS="1 network.per_host=16"`: so many rounds, with that setting of the daemon's.
bench: build
	@.ci/packages bench
	@swift build $(RELEASE) --product bench
	@exec "$$(swift build $(RELEASE) --show-bin-path)/bench" $(ARGUMENTS)

lint:
	@.ci/packages test
	@swift format lint --strict --recursive Sources Tests Package.swift
	@.ci/check-imports

clean:
	@rm -rf .build
