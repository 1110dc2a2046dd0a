using System.Runtime.InteropServices;

namespace BufferedMessages.Runtime.Tests.Messages;

/// <summary>A message with a member of each kind that a writer treats differently.</summary>
[BufferedMessageSource(GenerateWriter = true)]
public sealed partial record Parcel
{
    public int Id { get; set; }

    public decimal? Price { get; set; }

    public string? Note { get; set; }

    public byte[]? Photo { get; set; }

    public Stamp? Stamp { get; set; }

    public Gap Gap { get; set; }

    public int[]? Route { get; set; }

    public List<bool>? Flags { get; set; }

    public List<Stamp>? Stamps { get; set; }

    public string?[]? Names { get; set; }

    public Dictionary<string, int>? Counts { get; set; }

    public Plain? Plain { get; set; }

    public List<List<int>>? Matrix { get; set; }

    public bool IsLast { get; set; }

    /// <summary>Holds something in each member.</summary>
    public static Parcel Full() => new()
    {
        Id = 7,
        Price = 12.5m,
        Note = "two crates of Grüße",
        Photo = [1, 2, 3, 4, 5, 6, 7, 8, 9],
        Stamp = new Stamp { Value = 3, Motive = "a tree in the wind", Inner = new Stamp { Motive = "short" } },
        Gap = new Gap { First = 1, Second = 2 },
        Route = [4, 5, 6],
        Flags = [true, false],
        Stamps = [new Stamp { Motive = "the first of two" }, new Stamp { Value = 9, Motive = "the second of two" }],
        Names = ["a name of some length", null, "b", ""],
        Counts = new() { ["one"] = 1, ["two"] = 2 },
        Plain = new Plain { Text = "plain text" },
        Matrix = [[1, 2], [3]],
        IsLast = true,
    };

    /// <summary>Writes the same as <see cref="Full"/>, with the members of fixed size in another order.</summary>
    public static void WriteFull(ParcelBufferedMessageWriter parcel)
    {
        parcel.IsLast = true;
        parcel.WriteNote("two crates of Grüße");
        parcel.WritePhoto([1, 2, 3, 4, 5, 6, 7, 8, 9]);
        parcel.Price = 12.5m;
        var stamp = parcel.WriteStamp();
        stamp.WriteMotive("a tree in the wind"u8);
        var inner = stamp.WriteInner();
        inner.WriteMotive("short");
        stamp.Value = 3;
        parcel.WriteRoute([4, 5, 6]);
        parcel.WriteFlags([true, false]);
        var stamps = parcel.WriteStamps(2);
        stamps[0].WriteMotive("the first of two");
        stamps[1].WriteMotive("the second of two");
        var second = parcel.Stamps[1];
        second.Value = 9;
        var names = parcel.WriteNames(4);
        names.Write(0, "a name of some length");
        names.Write(2, "b"u8);
        names.Write(3, "");
        parcel.WriteCounts(new() { ["one"] = 1, ["two"] = 2 });
        parcel.WritePlain(new Plain { Text = "plain text" });
        parcel.WriteMatrix([[1, 2], [3]]);
        parcel.Gap = new Gap { First = 1, Second = 2 };
        parcel.Id = 7;
    }
}

/// <summary>Contains itself.</summary>
[BufferedMessageSource(GenerateWriter = true)]
public sealed partial record Stamp
{
    public short Value { get; set; }

    public string? Motive { get; set; }

    public Stamp? Inner { get; set; }
}

/// <summary>Has no writer: it is written as an object.</summary>
[BufferedMessageSource]
public sealed partial record Plain
{
    public string? Text { get; set; }
}

/// <summary>A struct with padding.</summary>
[StructLayout(LayoutKind.Sequential)]
public struct Gap
{
    public byte First;
    public long Second;

    /// <summary>Fills the padding with bytes that must not reach a message.</summary>
    public static Gap Dirty(byte first, long second)
    {
        var value = default(Gap);
        MemoryMarshal.AsBytes(new Span<Gap>(ref value)).Fill(0xEE);
        value.First = first;
        value.Second = second;
        return value;
    }
}
