// Bystander's lights on an Arduino Uno or Nano (ATmega328P, 16 MHz): WS2812 lights on D6.
//
// The protocol is told in Bystander's hardware/protocol.py; this sketch answers the same as the
// Pico's main.py. Needs no library. A frame keeps interrupts off for a millisecond, in which bytes
// get lost: the host sends one line and waits for its answer.

#include <avr/io.h>
#include <avr/pgmspace.h>

#if F_CPU != 16000000UL
#error "the lights' timing is counted in cycles of 16 MHz"
#endif

const uint8_t LIGHTS = 33;       // as many as hang on the strip, at most 40
const uint16_t BUDGET_MA = 200;  // what the lights may draw in all; more only with their own supply
const uint8_t DATA_PIN = 6;      // PD6; the loop that sends the bits names its port too

const uint8_t LONGEST = 254;  // a line without its start and end; a CR may come on top

enum Fault : char { NONE = 0, CRC = '1', FRAME, NO_HEX, LENGTH, COMMAND, TOO_LONG };

// Green, red, blue for each light, as the strip takes them, and one byte that is read but not sent.
uint8_t strip[3 * LIGHTS + 1];

char line[LONGEST + 1];
uint8_t lineLength = 0;
bool inLine = false;

bool isLit = false;
uint8_t watchdog = 30;  // in 0.1 s; 0 is never
uint32_t heardMs = 0;

// ------------------------------------------------------------------------------------ the strip

// One bit takes 20 cycles (1.25 us): up for 6 (0.375 us) is a 0, up for 13 (0.8125 us) a 1. The
// next byte is fetched within the last bit of the one before, so that every period is the same.
void sendStrip() {
  const uint8_t high = PORTD | _BV(6);
  const uint8_t low = PORTD & ~_BV(6);
  const uint8_t *next = strip;
  uint8_t byte = *next++;
  uint8_t bits = 8;
  uint8_t left = 3 * LIGHTS;
  noInterrupts();
  asm volatile(
      "1: out %[port], %[high]  \n"  //  1  up
      "   rjmp .+0              \n"  //  3
      "   rjmp .+0              \n"  //  5
      "   sbrs %[byte], 7       \n"  //  a 1 skips the next
      "   out %[port], %[low]   \n"  //  7  down after 6, for a 0
      "   lsl %[byte]           \n"  //  8
      "   dec %[bits]           \n"  //  9
      "   breq 2f               \n"  // 10, or 11 when taken
      "   rjmp .+0              \n"  // 12
      "   nop                   \n"  // 13
      "   out %[port], %[low]   \n"  // 14  down after 13, for a 1
      "   rjmp .+0              \n"  // 16
      "   rjmp .+0              \n"  // 18
      "   rjmp 1b               \n"  // 20
      "2: ld %[byte], %a[next]+ \n"  // 13
      "   out %[port], %[low]   \n"  // 14
      "   ldi %[bits], 8        \n"  // 15
      "   rjmp .+0              \n"  // 17
      "   dec %[left]           \n"  // 18
      "   brne 1b               \n"  // 20
      : [byte] "+r"(byte), [bits] "+d"(bits), [left] "+r"(left), [next] "+e"(next)
      : [port] "I"(_SFR_IO_ADDR(PORTD)), [high] "r"(high), [low] "r"(low)
      : "memory");
  interrupts();
  // The strip takes over what it got when its line has been low for 280 us.
  delayMicroseconds(300);
}

void darken() {
  memset(strip, 0, sizeof strip);
  sendStrip();
  isLit = false;
}

// A light takes 1 mA when dark and a diode 20 mA at full duty; total is the sum of all duties.
uint8_t limited(uint8_t brightness, uint32_t total) {
  const uint32_t leftMa = BUDGET_MA > LIGHTS ? BUDGET_MA - LIGHTS : 0;
  if (total * brightness * 20 <= leftMa * 65025UL) return brightness;
  return leftMa * 65025UL / (20 * total);
}

// ---------------------------------------------------------------------------------------- lines

const uint32_t CRC_TABLE[16] PROGMEM = {
    0x00000000, 0x1DB71064, 0x3B6E20C8, 0x26D930AC, 0x76DC4190, 0x6B6B51F4, 0x4DB26158, 0x5005713C,
    0xEDB88320, 0xF00F9344, 0xD6D6A3E8, 0xCB61B38C, 0x9B64C2B0, 0x86D3D2D4, 0xA00AE278, 0xBDBDF21C};

uint32_t addToCrc(uint32_t crc, uint8_t byte) {
  crc ^= byte;
  crc = pgm_read_dword(&CRC_TABLE[crc & 15]) ^ (crc >> 4);
  return pgm_read_dword(&CRC_TABLE[crc & 15]) ^ (crc >> 4);
}

char hexDigit(uint8_t value) { return value < 10 ? '0' + value : 'A' + value - 10; }

// The value of an upper-case hex digit, or 255.
uint8_t hexValue(char digit) {
  if (digit >= '0' && digit <= '9') return digit - '0';
  if (digit >= 'A' && digit <= 'F') return digit - 'A' + 10;
  return 255;
}

uint8_t hexByte(const char *digits) { return hexValue(digits[0]) << 4 | hexValue(digits[1]); }

bool isHex(const char *text, uint8_t length) {
  for (uint8_t at = 0; at < length; at++)
    if (hexValue(text[at]) == 255) return false;
  return true;
}

uint32_t answerCrc;

void put(char letter) {
  answerCrc = addToCrc(answerCrc, letter);
  Serial.write(letter);
}

void put(const char *text) {
  while (*text) put(*text++);
}

void putNumber(uint16_t number) {
  char digits[6];
  put(utoa(number, digits, 10));
}

void beginAnswer(char first, char second) {
  Serial.write('<');
  answerCrc = 0xFFFFFFFF;
  put(first);
  put(second);
}

void endAnswer() {
  const uint32_t crc = ~answerCrc;
  Serial.write('*');
  for (int8_t shift = 28; shift >= 0; shift -= 4) Serial.write(hexDigit(crc >> shift & 15));
  Serial.write('\n');
}

void putHello() {
  put("h1;fw=0.1;led=");
  putNumber(LIGHTS);
  put(";ma=");
  putNumber(BUDGET_MA);
  put(";wd=");
  putNumber(100 * watchdog);
  put(";id=avr");
}

void refuse(char first, char second, Fault fault) {
  beginAnswer(first, second);
  put('e');
  put(fault);
  endAnswer();
}

// ------------------------------------------------------------------------------------- commands

Fault faultOf(char letter, const char *argument, uint8_t length) {
  switch (letter) {
    case 'F':
      if (length < 8 || (length - 2) % 6 || (length - 2) / 6 > LIGHTS) return LENGTH;
      return isHex(argument, length) ? NONE : NO_HEX;
    case 'W':
      if (length != 2) return LENGTH;
      return isHex(argument, length) ? NONE : NO_HEX;
    case 'H':
    case 'P':
    case 'B':
      return length ? LENGTH : NONE;
    default:
      return COMMAND;
  }
}

// Shows the frame in an argument of F that has no fault; returns the brightness used.
uint8_t show(const char *argument, uint8_t length) {
  const uint8_t count = (length - 2) / 6;
  uint32_t total = 0;
  for (uint8_t at = 2; at < length; at += 2) total += hexByte(argument + at);
  const uint16_t brightness = limited(hexByte(argument), total);
  memset(strip, 0, sizeof strip);
  for (uint8_t light = 0; light < count; light++) {
    const char *colour = argument + 2 + 6 * light;
    strip[3 * light] = hexByte(colour + 2) * brightness / 255;
    strip[3 * light + 1] = hexByte(colour) * brightness / 255;
    strip[3 * light + 2] = hexByte(colour + 4) * brightness / 255;
  }
  sendStrip();
  isLit = true;
  return brightness;
}

// Does what a command without fault says, and puts its answer.
void obey(char letter, const char *argument, uint8_t length) {
  uint8_t brightness;
  switch (letter) {
    case 'F':
      brightness = show(argument, length);
      put('a');
      put(hexDigit(brightness >> 4));
      put(hexDigit(brightness & 15));
      return;
    case 'W':
      watchdog = hexByte(argument);
      put('w');
      return;
    case 'H':
      putHello();
      return;
    case 'B':
      darken();
      put('b');
      return;
    default:
      put('p');
  }
}

void takeLine() {
  uint8_t length = lineLength;
  if (length && line[length - 1] == '\r') length--;
  if (length < 12 || line[length - 9] != '*') return refuse('-', '-', FRAME);
  const uint8_t end = length - 9;
  uint32_t crc = 0xFFFFFFFF;
  for (uint8_t at = 0; at < end; at++) crc = addToCrc(crc, line[at]);
  crc = ~crc;
  for (uint8_t at = 0; at < 8; at++)
    if (line[end + 1 + at] != hexDigit(crc >> (28 - 4 * at) & 15)) return refuse('-', '-', CRC);
  if (!isHex(line, 2)) return refuse('-', '-', FRAME);
  const char *argument = line + 3;
  const Fault fault = faultOf(line[2], argument, end - 3);
  if (fault != NONE) return refuse(line[0], line[1], fault);
  heardMs = millis();
  // The lights first: the answer says that they are lit.
  beginAnswer(line[0], line[1]);
  obey(line[2], argument, end - 3);
  endAnswer();
}

void take(char byte) {
  if (byte == '>') {
    inLine = true;
    lineLength = 0;
  } else if (!inLine) {
    return;
  } else if (byte == '\n') {
    inLine = false;
    takeLine();
  } else if (lineLength > LONGEST) {
    inLine = false;
    refuse('-', '-', TOO_LONG);
  } else {
    line[lineLength++] = byte;
  }
}

void setup() {
  pinMode(DATA_PIN, OUTPUT);
  Serial.begin(115200);
  darken();
  beginAnswer('-', '-');
  putHello();
  endAnswer();
}

void loop() {
  while (Serial.available()) take(Serial.read());
  if (isLit && watchdog && millis() - heardMs >= 100UL * watchdog) darken();
}
