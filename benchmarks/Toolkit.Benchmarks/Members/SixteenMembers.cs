using BufferedMessages;

namespace Toolkit.Benchmarks.Members;

/// <summary>One number.</summary>
[BufferedMessageSource]
internal sealed partial class OneMember
{
    public int M0 { get; set; } = 1_000_000;
}

/// <summary>Sixteen numbers.</summary>
[BufferedMessageSource]
internal sealed partial class Int32Members
{
    public int M0 { get; set; } = 1_000_000;
    public int M1 { get; set; } = 1_000_000;
    public int M2 { get; set; } = 1_000_000;
    public int M3 { get; set; } = 1_000_000;
    public int M4 { get; set; } = 1_000_000;
    public int M5 { get; set; } = 1_000_000;
    public int M6 { get; set; } = 1_000_000;
    public int M7 { get; set; } = 1_000_000;
    public int M8 { get; set; } = 1_000_000;
    public int M9 { get; set; } = 1_000_000;
    public int M10 { get; set; } = 1_000_000;
    public int M11 { get; set; } = 1_000_000;
    public int M12 { get; set; } = 1_000_000;
    public int M13 { get; set; } = 1_000_000;
    public int M14 { get; set; } = 1_000_000;
    public int M15 { get; set; } = 1_000_000;
}

/// <summary>Sixteen numbers that may be null.</summary>
[BufferedMessageSource]
internal sealed partial class NullableMembers
{
    public long? M0 { get; set; } = 1_000_000_000_000;
    public long? M1 { get; set; } = 1_000_000_000_000;
    public long? M2 { get; set; } = 1_000_000_000_000;
    public long? M3 { get; set; } = 1_000_000_000_000;
    public long? M4 { get; set; } = 1_000_000_000_000;
    public long? M5 { get; set; } = 1_000_000_000_000;
    public long? M6 { get; set; } = 1_000_000_000_000;
    public long? M7 { get; set; } = 1_000_000_000_000;
    public long? M8 { get; set; } = 1_000_000_000_000;
    public long? M9 { get; set; } = 1_000_000_000_000;
    public long? M10 { get; set; } = 1_000_000_000_000;
    public long? M11 { get; set; } = 1_000_000_000_000;
    public long? M12 { get; set; } = 1_000_000_000_000;
    public long? M13 { get; set; } = 1_000_000_000_000;
    public long? M14 { get; set; } = 1_000_000_000_000;
    public long? M15 { get; set; } = 1_000_000_000_000;
}

/// <summary>Sixteen times, which reading checks.</summary>
[BufferedMessageSource]
internal sealed partial class TimeMembers
{
    public DateTime M0 { get; set; } = DateTime.UnixEpoch;
    public DateTime M1 { get; set; } = DateTime.UnixEpoch;
    public DateTime M2 { get; set; } = DateTime.UnixEpoch;
    public DateTime M3 { get; set; } = DateTime.UnixEpoch;
    public DateTime M4 { get; set; } = DateTime.UnixEpoch;
    public DateTime M5 { get; set; } = DateTime.UnixEpoch;
    public DateTime M6 { get; set; } = DateTime.UnixEpoch;
    public DateTime M7 { get; set; } = DateTime.UnixEpoch;
    public DateTime M8 { get; set; } = DateTime.UnixEpoch;
    public DateTime M9 { get; set; } = DateTime.UnixEpoch;
    public DateTime M10 { get; set; } = DateTime.UnixEpoch;
    public DateTime M11 { get; set; } = DateTime.UnixEpoch;
    public DateTime M12 { get; set; } = DateTime.UnixEpoch;
    public DateTime M13 { get; set; } = DateTime.UnixEpoch;
    public DateTime M14 { get; set; } = DateTime.UnixEpoch;
    public DateTime M15 { get; set; } = DateTime.UnixEpoch;
}

/// <summary>Sixteen decimals, which reading checks.</summary>
[BufferedMessageSource]
internal sealed partial class DecimalMembers
{
    public decimal M0 { get; set; } = 1234.5678m;
    public decimal M1 { get; set; } = 1234.5678m;
    public decimal M2 { get; set; } = 1234.5678m;
    public decimal M3 { get; set; } = 1234.5678m;
    public decimal M4 { get; set; } = 1234.5678m;
    public decimal M5 { get; set; } = 1234.5678m;
    public decimal M6 { get; set; } = 1234.5678m;
    public decimal M7 { get; set; } = 1234.5678m;
    public decimal M8 { get; set; } = 1234.5678m;
    public decimal M9 { get; set; } = 1234.5678m;
    public decimal M10 { get; set; } = 1234.5678m;
    public decimal M11 { get; set; } = 1234.5678m;
    public decimal M12 { get; set; } = 1234.5678m;
    public decimal M13 { get; set; } = 1234.5678m;
    public decimal M14 { get; set; } = 1234.5678m;
    public decimal M15 { get; set; } = 1234.5678m;
}

/// <summary>Sixteen strings of 5 bytes, which lie in their slots.</summary>
[BufferedMessageSource]
internal sealed partial class ShortTextMembers
{
    public string M0 { get; set; } = "EURUS";
    public string M1 { get; set; } = "EURUS";
    public string M2 { get; set; } = "EURUS";
    public string M3 { get; set; } = "EURUS";
    public string M4 { get; set; } = "EURUS";
    public string M5 { get; set; } = "EURUS";
    public string M6 { get; set; } = "EURUS";
    public string M7 { get; set; } = "EURUS";
    public string M8 { get; set; } = "EURUS";
    public string M9 { get; set; } = "EURUS";
    public string M10 { get; set; } = "EURUS";
    public string M11 { get; set; } = "EURUS";
    public string M12 { get; set; } = "EURUS";
    public string M13 { get; set; } = "EURUS";
    public string M14 { get; set; } = "EURUS";
    public string M15 { get; set; } = "EURUS";
}

/// <summary>Sixteen strings of 20 bytes.</summary>
[BufferedMessageSource]
internal sealed partial class TextMembers
{
    public string M0 { get; set; } = "a string of 20 chars";
    public string M1 { get; set; } = "a string of 20 chars";
    public string M2 { get; set; } = "a string of 20 chars";
    public string M3 { get; set; } = "a string of 20 chars";
    public string M4 { get; set; } = "a string of 20 chars";
    public string M5 { get; set; } = "a string of 20 chars";
    public string M6 { get; set; } = "a string of 20 chars";
    public string M7 { get; set; } = "a string of 20 chars";
    public string M8 { get; set; } = "a string of 20 chars";
    public string M9 { get; set; } = "a string of 20 chars";
    public string M10 { get; set; } = "a string of 20 chars";
    public string M11 { get; set; } = "a string of 20 chars";
    public string M12 { get; set; } = "a string of 20 chars";
    public string M13 { get; set; } = "a string of 20 chars";
    public string M14 { get; set; } = "a string of 20 chars";
    public string M15 { get; set; } = "a string of 20 chars";
}

/// <summary>Sixteen binaries of 20 bytes.</summary>
[BufferedMessageSource]
internal sealed partial class BinaryMembers
{
    public byte[] M0 { get; set; } = new byte[20];
    public byte[] M1 { get; set; } = new byte[20];
    public byte[] M2 { get; set; } = new byte[20];
    public byte[] M3 { get; set; } = new byte[20];
    public byte[] M4 { get; set; } = new byte[20];
    public byte[] M5 { get; set; } = new byte[20];
    public byte[] M6 { get; set; } = new byte[20];
    public byte[] M7 { get; set; } = new byte[20];
    public byte[] M8 { get; set; } = new byte[20];
    public byte[] M9 { get; set; } = new byte[20];
    public byte[] M10 { get; set; } = new byte[20];
    public byte[] M11 { get; set; } = new byte[20];
    public byte[] M12 { get; set; } = new byte[20];
    public byte[] M13 { get; set; } = new byte[20];
    public byte[] M14 { get; set; } = new byte[20];
    public byte[] M15 { get; set; } = new byte[20];
}

/// <summary>Sixteen lists of four numbers.</summary>
[BufferedMessageSource]
internal sealed partial class ListMembers
{
    public int[] M0 { get; set; } = [1, 2, 3, 4];
    public int[] M1 { get; set; } = [1, 2, 3, 4];
    public int[] M2 { get; set; } = [1, 2, 3, 4];
    public int[] M3 { get; set; } = [1, 2, 3, 4];
    public int[] M4 { get; set; } = [1, 2, 3, 4];
    public int[] M5 { get; set; } = [1, 2, 3, 4];
    public int[] M6 { get; set; } = [1, 2, 3, 4];
    public int[] M7 { get; set; } = [1, 2, 3, 4];
    public int[] M8 { get; set; } = [1, 2, 3, 4];
    public int[] M9 { get; set; } = [1, 2, 3, 4];
    public int[] M10 { get; set; } = [1, 2, 3, 4];
    public int[] M11 { get; set; } = [1, 2, 3, 4];
    public int[] M12 { get; set; } = [1, 2, 3, 4];
    public int[] M13 { get; set; } = [1, 2, 3, 4];
    public int[] M14 { get; set; } = [1, 2, 3, 4];
    public int[] M15 { get; set; } = [1, 2, 3, 4];
}

/// <summary>Sixteen nested messages of one number.</summary>
[BufferedMessageSource]
internal sealed partial class MessageMembers
{
    public OneMember M0 { get; set; } = new();
    public OneMember M1 { get; set; } = new();
    public OneMember M2 { get; set; } = new();
    public OneMember M3 { get; set; } = new();
    public OneMember M4 { get; set; } = new();
    public OneMember M5 { get; set; } = new();
    public OneMember M6 { get; set; } = new();
    public OneMember M7 { get; set; } = new();
    public OneMember M8 { get; set; } = new();
    public OneMember M9 { get; set; } = new();
    public OneMember M10 { get; set; } = new();
    public OneMember M11 { get; set; } = new();
    public OneMember M12 { get; set; } = new();
    public OneMember M13 { get; set; } = new();
    public OneMember M14 { get; set; } = new();
    public OneMember M15 { get; set; } = new();
}
