using BufferedMessages;

namespace Toolkit.Benchmarks.Growth;

/// <summary>A message of 1 number.</summary>
[BufferedMessageSource]
internal sealed partial class Fields1
{
    public int F0 { get; set; }
}

/// <summary>A message of 4 numbers.</summary>
[BufferedMessageSource]
internal sealed partial class Fields4
{
    public int F0 { get; set; }
    public int F1 { get; set; } = 1;
    public int F2 { get; set; } = 2;
    public int F3 { get; set; } = 3;
}

/// <summary>A message of 16 numbers.</summary>
[BufferedMessageSource]
internal sealed partial class Fields16
{
    public int F0 { get; set; }
    public int F1 { get; set; } = 1;
    public int F2 { get; set; } = 2;
    public int F3 { get; set; } = 3;
    public int F4 { get; set; } = 4;
    public int F5 { get; set; } = 5;
    public int F6 { get; set; } = 6;
    public int F7 { get; set; } = 7;
    public int F8 { get; set; } = 8;
    public int F9 { get; set; } = 9;
    public int F10 { get; set; } = 10;
    public int F11 { get; set; } = 11;
    public int F12 { get; set; } = 12;
    public int F13 { get; set; } = 13;
    public int F14 { get; set; } = 14;
    public int F15 { get; set; } = 15;
}

/// <summary>A message of 64 numbers.</summary>
[BufferedMessageSource]
internal sealed partial class Fields64
{
    public int F0 { get; set; }
    public int F1 { get; set; } = 1;
    public int F2 { get; set; } = 2;
    public int F3 { get; set; } = 3;
    public int F4 { get; set; } = 4;
    public int F5 { get; set; } = 5;
    public int F6 { get; set; } = 6;
    public int F7 { get; set; } = 7;
    public int F8 { get; set; } = 8;
    public int F9 { get; set; } = 9;
    public int F10 { get; set; } = 10;
    public int F11 { get; set; } = 11;
    public int F12 { get; set; } = 12;
    public int F13 { get; set; } = 13;
    public int F14 { get; set; } = 14;
    public int F15 { get; set; } = 15;
    public int F16 { get; set; } = 16;
    public int F17 { get; set; } = 17;
    public int F18 { get; set; } = 18;
    public int F19 { get; set; } = 19;
    public int F20 { get; set; } = 20;
    public int F21 { get; set; } = 21;
    public int F22 { get; set; } = 22;
    public int F23 { get; set; } = 23;
    public int F24 { get; set; } = 24;
    public int F25 { get; set; } = 25;
    public int F26 { get; set; } = 26;
    public int F27 { get; set; } = 27;
    public int F28 { get; set; } = 28;
    public int F29 { get; set; } = 29;
    public int F30 { get; set; } = 30;
    public int F31 { get; set; } = 31;
    public int F32 { get; set; } = 32;
    public int F33 { get; set; } = 33;
    public int F34 { get; set; } = 34;
    public int F35 { get; set; } = 35;
    public int F36 { get; set; } = 36;
    public int F37 { get; set; } = 37;
    public int F38 { get; set; } = 38;
    public int F39 { get; set; } = 39;
    public int F40 { get; set; } = 40;
    public int F41 { get; set; } = 41;
    public int F42 { get; set; } = 42;
    public int F43 { get; set; } = 43;
    public int F44 { get; set; } = 44;
    public int F45 { get; set; } = 45;
    public int F46 { get; set; } = 46;
    public int F47 { get; set; } = 47;
    public int F48 { get; set; } = 48;
    public int F49 { get; set; } = 49;
    public int F50 { get; set; } = 50;
    public int F51 { get; set; } = 51;
    public int F52 { get; set; } = 52;
    public int F53 { get; set; } = 53;
    public int F54 { get; set; } = 54;
    public int F55 { get; set; } = 55;
    public int F56 { get; set; } = 56;
    public int F57 { get; set; } = 57;
    public int F58 { get; set; } = 58;
    public int F59 { get; set; } = 59;
    public int F60 { get; set; } = 60;
    public int F61 { get; set; } = 61;
    public int F62 { get; set; } = 62;
    public int F63 { get; set; } = 63;
}
