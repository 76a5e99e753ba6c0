# The commands of the project; README.md says when to use which.
SHELL := /bin/bash
.DEFAULT_GOAL := build
.PHONY: build demo run test test-api test-system test-tsan bench lint install uninstall clean

# One static Swift runtime in each program: nothing of Swift is needed where they run.
RELEASE := --configuration release --static-swift-stdlib
PROGRAMS := storiesd storiesctl

# Where `make install` puts things. /usr/local is the administrator's own, systemd looks there too, and no package of the
# distribution's collides with it; packages are built with PREFIX=/usr. DESTDIR goes before all of it.
PREFIX := /usr/local
BUILT := .build/release
BINDIR = $(PREFIX)/bin
DATADIR = $(PREFIX)/share/storiesd
DATA = manifest.schema.json openapi.yaml storiesd.json5
MANDIR = $(PREFIX)/share/man
COMPLETIONS = bash-completion/completions/storiesctl zsh/site-functions/_storiesctl \
    fish/vendor_completions.d/storiesctl.fish
# systemd looks below these two only.
SYSTEMD = $(if $(filter /usr /usr/local,$(PREFIX)),$(PREFIX),/usr/local)/lib
CONFIGURATION := /etc/storiesd/storiesd.json5
# Names of functions stay, for whoever reads a crash; `make install STRIP=:` leaves all.
STRIP := strip --strip-debug

build:
	@.ci/packages build
	@for program in $(PROGRAMS); do swift build $(RELEASE) --product $$program || exit; done

demo: build
	@swift build $(RELEASE) --product demo-origin
	@Tests/Demo/run "$$(swift build $(RELEASE) --show-bin-path)"

run: build
	@exec "$$(swift build $(RELEASE) --show-bin-path)/storiesd" $(ARGUMENTS)

# Builds only where nothing is built, so that root needs no Swift: `make build && sudo make install`.
install:
	@for program in $(PROGRAMS); do test -x $(BUILT)/$$program || { $(MAKE) build || exit; break; }; done
	install -d "$(DESTDIR)$(BINDIR)" "$(DESTDIR)$(DATADIR)" "$(DESTDIR)$(dir $(CONFIGURATION))" \
	    "$(DESTDIR)$(SYSTEMD)/systemd/system" "$(DESTDIR)$(SYSTEMD)/sysusers.d" "$(DESTDIR)$(SYSTEMD)/tmpfiles.d"
	install -m 0755 $(PROGRAMS:%=$(BUILT)/%) "$(DESTDIR)$(BINDIR)"
	$(STRIP) $(PROGRAMS:%="$(DESTDIR)$(BINDIR)/%")
	install -m 0644 $(DATA:%=config/%) "$(DESTDIR)$(DATADIR)"
	install -D -m 0644 config/completions/storiesctl.bash \
	    "$(DESTDIR)$(PREFIX)/share/bash-completion/completions/storiesctl"
	install -D -m 0644 -t "$(DESTDIR)$(PREFIX)/share/zsh/site-functions" config/completions/_storiesctl
	install -D -m 0644 -t "$(DESTDIR)$(PREFIX)/share/fish/vendor_completions.d" config/completions/storiesctl.fish
	for section in 1 5 8; do \
	    install -D -m 0644 -t "$(DESTDIR)$(MANDIR)/man$$section" config/man/*.$$section || exit; done
	sed -e '/make install/d' -e '/^Exec/s#/usr/bin/env storiesd#$(BINDIR)/storiesd#' systemd/storiesd.service \
	    >"$(DESTDIR)$(SYSTEMD)/systemd/system/storiesd.service"
	chmod 0644 "$(DESTDIR)$(SYSTEMD)/systemd/system/storiesd.service"
	install -m 0644 systemd/storiesd.socket "$(DESTDIR)$(SYSTEMD)/systemd/system"
	install -m 0644 systemd/storiesd.sysusers "$(DESTDIR)$(SYSTEMD)/sysusers.d/storiesd.conf"
	install -m 0644 systemd/storiesd.tmpfiles "$(DESTDIR)$(SYSTEMD)/tmpfiles.d/storiesd.conf"
	test -e "$(DESTDIR)$(CONFIGURATION)" || \
	    sed 's#@datadir@#$(DATADIR)#' config/installed.json5 >"$(DESTDIR)$(CONFIGURATION)"

# The configuration, the data, the user and the groups stay.
uninstall:
	rm -f $(PROGRAMS:%="$(DESTDIR)$(BINDIR)/%") \
	    "$(DESTDIR)$(SYSTEMD)/systemd/system/storiesd.service" "$(DESTDIR)$(SYSTEMD)/systemd/system/storiesd.socket" \
	    "$(DESTDIR)$(SYSTEMD)/sysusers.d/storiesd.conf" "$(DESTDIR)$(SYSTEMD)/tmpfiles.d/storiesd.conf" \
	    $(COMPLETIONS:%="$(DESTDIR)$(PREFIX)/share/%") "$(DESTDIR)$(MANDIR)/man1/storiesctl.1" \
	    "$(DESTDIR)$(MANDIR)/man5/storiesd.json5.5" "$(DESTDIR)$(MANDIR)/man8/storiesd.8" \
	    $(DATA:%="$(DESTDIR)$(DATADIR)/%")
	rmdir "$(DESTDIR)$(DATADIR)" 2>/dev/null || true

test:
	@.ci/packages test
	@swift test --disable-xctest --no-parallel

# The units, and the installed service in a Debian 12 of its own, booted by systemd-nspawn. As root. With
# `ROOT=DIRECTORY` the Debian is kept there for the next time.
test-system:
	@.ci/packages system
	@Tests/System/boot "$(BUILT)" $(ROOT)

# The control socket, with what schemathesis (PyPI) makes up from config/openapi.yaml.
test-api: build
	@.ci/packages api
	@Tests/System/schemathesis "$$(swift build $(RELEASE) --show-bin-path)" $(ARGUMENTS)

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
	@.ci/check-units

clean:
	@rm -rf .build
