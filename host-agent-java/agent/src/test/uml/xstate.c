/*
 * Lets Linux in user mode (before 6.13) run on processors with AMX. It keeps the registers of its processes in a buffer of its own size, and newer
 * processors have more of them than fit: setting them back with too short a buffer is refused, and it panics ("ptrace set fp regs failed").
 * Loaded before the C library (LD_PRELOAD), this fills the buffer up to the size that the processor has. What is beyond UML's buffer it never
 * uses, so it says of that part that it is in its first state.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#define NT_X86_XSTATE 0x202
/* Where the area says which parts of it are not in their first state (Intel SDM 1, 13.4.2), and the parts before AMX. */
#define XSTATE_BV 512
#define BEFORE_AMX 0x3ffULL

static unsigned char area[1 << 16] __attribute__((aligned(64)));

static long set_registers(long pid, const struct iovec *given) {
  struct iovec whole = {area, sizeof(area)};
  if (syscall(SYS_ptrace, PTRACE_GETREGSET, pid, NT_X86_XSTATE, &whole) != 0) return -1;
  if (whole.iov_len <= given->iov_len) return syscall(SYS_ptrace, PTRACE_SETREGSET, pid, NT_X86_XSTATE, given);
  memset(area, 0, whole.iov_len);
  memcpy(area, given->iov_base, given->iov_len);
  uint64_t parts;
  memcpy(&parts, area + XSTATE_BV, sizeof(parts));
  parts &= BEFORE_AMX;
  memcpy(area + XSTATE_BV, &parts, sizeof(parts));
  return syscall(SYS_ptrace, PTRACE_SETREGSET, pid, NT_X86_XSTATE, &whole);
}

long ptrace(enum __ptrace_request request, ...) {
  va_list arguments;
  va_start(arguments, request);
  long pid = (int)va_arg(arguments, long), address = va_arg(arguments, long);
  void *data = va_arg(arguments, void *);
  va_end(arguments);
  if (request >= PTRACE_PEEKTEXT && request <= PTRACE_PEEKUSER) {
    /* The C library hands back the word; the kernel writes it. */
    long word;
    long result = syscall(SYS_ptrace, request, pid, address, &word);
    if (result < 0) return result;
    errno = 0;
    return word;
  }
  if (request == PTRACE_SETREGSET && address == NT_X86_XSTATE) return set_registers(pid, data);
  return syscall(SYS_ptrace, request, pid, address, data);
}
