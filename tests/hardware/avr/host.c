/* Runs the Arduino sketch in simavr, in simulated time, and tells what its lights line does.
 *
 * Commands on stdin, one a line:
 *   S hex     say these bytes to the board, one per byte time at 115200
 *   R ms      run until the board has said a whole line, or for so long
 *   W us      run for so long
 * Answers on stdout; after each command a line with a dot and the time in us:
 *   A text    a line that the board said
 *   L hex     the bytes of a whole frame on the strip's line, in the strip's order, and shortest
 *             and longest of: up for a 0, down after it, up for a 1, down after it, all in cycles
 *
 * simavr is GPL-3 and only linked to this test program; this file is under the project's licence.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <simavr/avr_ioport.h>
#include <simavr/avr_uart.h>
#include <simavr/sim_avr.h>
#include <simavr/sim_elf.h>

enum { CYCLES_PER_US = 16, BYTE_CYCLES = 1389, RESET_CYCLES = 50 * CYCLES_PER_US };
enum { MOST_BITS = 8192, MOST_SAID = 4096 };

static avr_t *avr;
static uint8_t said[MOST_SAID];
static int said_length;
static int lines_said;

static int level, bits, byte_now, bit_now;
static uint8_t frame[MOST_BITS / 8];
static avr_cycle_count_t rose, fell;
static unsigned shortest[4], longest[4];

static void note(int what, unsigned cycles) {
  if (cycles < shortest[what]) shortest[what] = cycles;
  if (cycles > longest[what]) longest[what] = cycles;
}

static void end_frame(void) {
  if (bits) {
    printf("L ");
    for (int at = 0; at < bits / 8; at++) printf("%02X", frame[at]);
    for (int what = 0; what < 4; what++) printf(" %u %u", shortest[what], longest[what]);
    printf(" %d\n", bits % 8);
  }
  bits = byte_now = bit_now = 0;
  for (int what = 0; what < 4; what++) shortest[what] = ~0u, longest[what] = 0;
}

static void on_pin(avr_irq_t *irq, uint32_t value, void *param) {
  (void)irq, (void)param;
  if ((int)value == level) return;
  level = (int)value;
  if (level) {
    if (bits && avr->cycle - fell < RESET_CYCLES) note(bit_now ? 3 : 1, avr->cycle - fell);
    else end_frame();
    rose = avr->cycle;
    return;
  }
  fell = avr->cycle;
  unsigned up = (unsigned)(fell - rose);
  bit_now = up > 9;
  note(bit_now ? 2 : 0, up);
  byte_now = byte_now << 1 | bit_now;
  if (bits < MOST_BITS && ++bits % 8 == 0) frame[bits / 8 - 1] = (uint8_t)byte_now;
}

static void on_said(avr_irq_t *irq, uint32_t value, void *param) {
  (void)irq, (void)param;
  if (value == '\n') {
    printf("A %.*s\n", said_length, said);
    said_length = 0;
    lines_said++;
  } else if (said_length < MOST_SAID) {
    said[said_length++] = (uint8_t)value;
  }
}

static void run_until(avr_cycle_count_t end) {
  while (avr->cycle < end) {
    int state = avr_run(avr);
    if (state == cpu_Done || state == cpu_Crashed) exit(3);
    if (bits && !level && avr->cycle - fell > RESET_CYCLES) end_frame();
  }
}

static void say(const char *hex) {
  avr_irq_t *line = avr_io_getirq(avr, AVR_IOCTL_UART_GETIRQ('0'), UART_IRQ_INPUT);
  unsigned value;
  for (; sscanf(hex, "%2x", &value) == 1; hex += 2) {
    avr_raise_irq(line, value);
    run_until(avr->cycle + BYTE_CYCLES);
  }
}

int main(int argc, char **argv) {
  static elf_firmware_t firmware;
  static char command[65536];
  if (argc != 2 || elf_read_firmware(argv[1], &firmware)) return 2;
  avr = avr_make_mcu_by_name("atmega328p");
  if (!avr) return 2;
  avr_init(avr);
  firmware.frequency = 16000000;
  avr_load_firmware(avr, &firmware);
  avr->log = LOG_NONE;
  uint32_t flags = 0;
  avr_ioctl(avr, AVR_IOCTL_UART_GET_FLAGS('0'), &flags);
  flags &= ~AVR_UART_FLAG_STDIO;
  avr_ioctl(avr, AVR_IOCTL_UART_SET_FLAGS('0'), &flags);
  avr_irq_register_notify(avr_io_getirq(avr, AVR_IOCTL_UART_GETIRQ('0'), UART_IRQ_OUTPUT), on_said, 0);
  avr_irq_register_notify(avr_io_getirq(avr, AVR_IOCTL_IOPORT_GETIRQ('D'), 6), on_pin, 0);
  end_frame();
  while (fgets(command, sizeof command, stdin)) {
    int before = lines_said;
    avr_cycle_count_t wait = strtoul(command + 1, 0, 10) * (avr_cycle_count_t)CYCLES_PER_US;
    if (command[0] == 'S') say(command + 2);
    if (command[0] == 'W') run_until(avr->cycle + wait);
    if (command[0] == 'R') {
      avr_cycle_count_t end = avr->cycle + 1000 * wait;
      while (lines_said == before && avr->cycle < end) run_until(avr->cycle + BYTE_CYCLES);
    }
    printf(". %llu\n", (unsigned long long)(avr->cycle / CYCLES_PER_US));
    fflush(stdout);
  }
  return 0;
}
