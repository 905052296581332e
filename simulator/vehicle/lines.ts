export type KeyPosition = 'off' | 'on' | 'crank'
export type InputLine = 'IN1' | 'IN2' | 'IN3' | 'IN4' | 'IN5' | 'IN6' | 'IN7'
export type OutputLine = 'OUT1' | 'OUT2' | 'OUT3' | 'OUT4'

export const inputLines: InputLine[] = ['IN1', 'IN2', 'IN3', 'IN4', 'IN5', 'IN6', 'IN7']
export const outputLines: OutputLine[] = ['OUT1', 'OUT2', 'OUT3', 'OUT4']

export const lineLabels: Record<InputLine | OutputLine, string> = {
  IN1: 'Panic button',
  IN2: "Driver's door",
  IN3: "Passenger's door",
  IN4: 'Cargo door',
  IN5: 'Hood',
  IN6: 'Power take-off',
  IN7: 'Seat belt',
  OUT1: 'Starter relay',
  OUT2: 'Siren',
  OUT3: 'Cab lamp',
  OUT4: 'Door lock'
}
