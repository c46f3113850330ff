// Made by a test of crates/tcpwhy-report/src/units/table.rs, where each row is explained: change that.
export const BIT_RATES = ['bit/s', 'kbit/s', 'Mbit/s', 'Gbit/s', 'Tbit/s'] as const;
export const SIZES = ['', 'kB', 'MB', 'GB', 'TB', 'PB'] as const;
export const LACKING = 0.5;
export const THREE_DIGITS = [99.95, 9.995, 0.9995] as const;
export const TWO_DIGITS = [9.95, 0.995] as const;
export const TIMES = [9.995e-7, 0.0009995, 0.9995, 119.95, 7199.5, 172800.0] as const;
export const PERCENT = [0.095, 9.95, 99.0, 99.95] as const;
