# For OpenBench, and for whoever likes make: `make EXE=name` builds alea and puts it there.
# Other variables, such as CXX and CC, are accepted and mean nothing here.

EXE ?= alea
CARGO ?= cargo
TARGET := $(or $(CARGO_TARGET_DIR),target)

ifeq ($(OS),Windows_NT)
SUFFIX := .exe
endif

.PHONY: all clean

all:
	$(CARGO) build --release --bin alea
	cp "$(TARGET)/release/alea$(SUFFIX)" "$(patsubst %$(SUFFIX),%,$(EXE))$(SUFFIX)"

clean:
	$(CARGO) clean
