using System.Runtime.CompilerServices;
using BenchmarkDotNet.Attributes;
using BufferedMessages;

namespace Toolkit.Benchmarks.Members;

/// <summary>
/// What a member costs, by its kind: a message of sixteen members of one kind, divided by sixteen. OneMember is a message of one number:
/// what every message costs.
/// </summary>
[MemoryDiagnoser]
public class MemberBenchmarks
{
    private const int Members = 16;

    private readonly byte[] _destination = new byte[4096];
    private readonly OneMember _oneMember = new();
    private readonly byte[] _oneMemberMessage = new OneMember().ToMessageArray();
    private readonly Int32Members _int32Members = new();
    private readonly byte[] _int32MembersMessage = new Int32Members().ToMessageArray();
    private readonly NullableMembers _nullableMembers = new();
    private readonly byte[] _nullableMembersMessage = new NullableMembers().ToMessageArray();
    private readonly TimeMembers _timeMembers = new();
    private readonly byte[] _timeMembersMessage = new TimeMembers().ToMessageArray();
    private readonly DecimalMembers _decimalMembers = new();
    private readonly byte[] _decimalMembersMessage = new DecimalMembers().ToMessageArray();
    private readonly ShortTextMembers _shortTextMembers = new();
    private readonly byte[] _shortTextMembersMessage = new ShortTextMembers().ToMessageArray();
    private readonly TextMembers _textMembers = new();
    private readonly byte[] _textMembersMessage = new TextMembers().ToMessageArray();
    private readonly BinaryMembers _binaryMembers = new();
    private readonly byte[] _binaryMembersMessage = new BinaryMembers().ToMessageArray();
    private readonly ListMembers _listMembers = new();
    private readonly byte[] _listMembersMessage = new ListMembers().ToMessageArray();
    private readonly MessageMembers _messageMembers = new();
    private readonly byte[] _messageMembersMessage = new MessageMembers().ToMessageArray();

    [Benchmark]
    public int WriteOneMember_BufferedMessages() => _oneMember.Write(_destination);

    [Benchmark]
    public long ReadOneMember_BufferedMessages() => new OneMemberBufferedMessage(_oneMemberMessage).M0;

    [Benchmark(OperationsPerInvoke = Members)]
    public int WriteInt32_BufferedMessages() => _int32Members.Write(_destination);

    [Benchmark(OperationsPerInvoke = Members)]
    public long ReadInt32_BufferedMessages()
    {
        var view = new Int32MembersBufferedMessage(_int32MembersMessage);
        var sum = 0L + view.M0 + view.M1 + view.M2 + view.M3;
        sum += view.M4 + view.M5 + view.M6 + view.M7;
        sum += view.M8 + view.M9 + view.M10 + view.M11;
        sum += view.M12 + view.M13 + view.M14 + view.M15;
        return sum;
    }

    [Benchmark(OperationsPerInvoke = Members)]
    public int WriteNullable_BufferedMessages() => _nullableMembers.Write(_destination);

    [Benchmark(OperationsPerInvoke = Members)]
    public long ReadNullable_BufferedMessages()
    {
        var view = new NullableMembersBufferedMessage(_nullableMembersMessage);
        var sum = 0L + view.M0.GetValueOrDefault() + view.M1.GetValueOrDefault() + view.M2.GetValueOrDefault() + view.M3.GetValueOrDefault();
        sum += view.M4.GetValueOrDefault() + view.M5.GetValueOrDefault() + view.M6.GetValueOrDefault() + view.M7.GetValueOrDefault();
        sum += view.M8.GetValueOrDefault() + view.M9.GetValueOrDefault() + view.M10.GetValueOrDefault() + view.M11.GetValueOrDefault();
        sum += view.M12.GetValueOrDefault() + view.M13.GetValueOrDefault() + view.M14.GetValueOrDefault() + view.M15.GetValueOrDefault();
        return sum;
    }

    [Benchmark(OperationsPerInvoke = Members)]
    public int WriteTime_BufferedMessages() => _timeMembers.Write(_destination);

    [Benchmark(OperationsPerInvoke = Members)]
    public long ReadTime_BufferedMessages()
    {
        var view = new TimeMembersBufferedMessage(_timeMembersMessage);
        var sum = 0L + view.M0.Ticks + view.M1.Ticks + view.M2.Ticks + view.M3.Ticks;
        sum += view.M4.Ticks + view.M5.Ticks + view.M6.Ticks + view.M7.Ticks;
        sum += view.M8.Ticks + view.M9.Ticks + view.M10.Ticks + view.M11.Ticks;
        sum += view.M12.Ticks + view.M13.Ticks + view.M14.Ticks + view.M15.Ticks;
        return sum;
    }

    [Benchmark(OperationsPerInvoke = Members)]
    public int WriteDecimal_BufferedMessages() => _decimalMembers.Write(_destination);

    [Benchmark(OperationsPerInvoke = Members)]
    public long ReadDecimal_BufferedMessages()
    {
        var view = new DecimalMembersBufferedMessage(_decimalMembersMessage);
        var sum = 0L + SumOf(view.M0) + SumOf(view.M1) + SumOf(view.M2) + SumOf(view.M3);
        sum += SumOf(view.M4) + SumOf(view.M5) + SumOf(view.M6) + SumOf(view.M7);
        sum += SumOf(view.M8) + SumOf(view.M9) + SumOf(view.M10) + SumOf(view.M11);
        sum += SumOf(view.M12) + SumOf(view.M13) + SumOf(view.M14) + SumOf(view.M15);
        return sum;
    }

    [Benchmark(OperationsPerInvoke = Members)]
    public int WriteShortText_BufferedMessages() => _shortTextMembers.Write(_destination);

    [Benchmark(OperationsPerInvoke = Members)]
    public long ReadShortText_BufferedMessages()
    {
        var view = new ShortTextMembersBufferedMessage(_shortTextMembersMessage);
        var sum = 0L + SumOf(view.M0.Utf8) + SumOf(view.M1.Utf8) + SumOf(view.M2.Utf8) + SumOf(view.M3.Utf8);
        sum += SumOf(view.M4.Utf8) + SumOf(view.M5.Utf8) + SumOf(view.M6.Utf8) + SumOf(view.M7.Utf8);
        sum += SumOf(view.M8.Utf8) + SumOf(view.M9.Utf8) + SumOf(view.M10.Utf8) + SumOf(view.M11.Utf8);
        sum += SumOf(view.M12.Utf8) + SumOf(view.M13.Utf8) + SumOf(view.M14.Utf8) + SumOf(view.M15.Utf8);
        return sum;
    }

    [Benchmark(OperationsPerInvoke = Members)]
    public int WriteText_BufferedMessages() => _textMembers.Write(_destination);

    [Benchmark(OperationsPerInvoke = Members)]
    public long ReadText_BufferedMessages()
    {
        var view = new TextMembersBufferedMessage(_textMembersMessage);
        var sum = 0L + SumOf(view.M0.Utf8) + SumOf(view.M1.Utf8) + SumOf(view.M2.Utf8) + SumOf(view.M3.Utf8);
        sum += SumOf(view.M4.Utf8) + SumOf(view.M5.Utf8) + SumOf(view.M6.Utf8) + SumOf(view.M7.Utf8);
        sum += SumOf(view.M8.Utf8) + SumOf(view.M9.Utf8) + SumOf(view.M10.Utf8) + SumOf(view.M11.Utf8);
        sum += SumOf(view.M12.Utf8) + SumOf(view.M13.Utf8) + SumOf(view.M14.Utf8) + SumOf(view.M15.Utf8);
        return sum;
    }

    [Benchmark(OperationsPerInvoke = Members)]
    public int WriteBinary_BufferedMessages() => _binaryMembers.Write(_destination);

    [Benchmark(OperationsPerInvoke = Members)]
    public long ReadBinary_BufferedMessages()
    {
        var view = new BinaryMembersBufferedMessage(_binaryMembersMessage);
        var sum = 0L + SumOf(view.M0) + SumOf(view.M1) + SumOf(view.M2) + SumOf(view.M3);
        sum += SumOf(view.M4) + SumOf(view.M5) + SumOf(view.M6) + SumOf(view.M7);
        sum += SumOf(view.M8) + SumOf(view.M9) + SumOf(view.M10) + SumOf(view.M11);
        sum += SumOf(view.M12) + SumOf(view.M13) + SumOf(view.M14) + SumOf(view.M15);
        return sum;
    }

    [Benchmark(OperationsPerInvoke = Members)]
    public int WriteList_BufferedMessages() => _listMembers.Write(_destination);

    [Benchmark(OperationsPerInvoke = Members)]
    public long ReadList_BufferedMessages()
    {
        var view = new ListMembersBufferedMessage(_listMembersMessage);
        var sum = 0L + SumOf(view.M0) + SumOf(view.M1) + SumOf(view.M2) + SumOf(view.M3);
        sum += SumOf(view.M4) + SumOf(view.M5) + SumOf(view.M6) + SumOf(view.M7);
        sum += SumOf(view.M8) + SumOf(view.M9) + SumOf(view.M10) + SumOf(view.M11);
        sum += SumOf(view.M12) + SumOf(view.M13) + SumOf(view.M14) + SumOf(view.M15);
        return sum;
    }

    [Benchmark(OperationsPerInvoke = Members)]
    public int WriteMessage_BufferedMessages() => _messageMembers.Write(_destination);

    [Benchmark(OperationsPerInvoke = Members)]
    public long ReadMessage_BufferedMessages()
    {
        var view = new MessageMembersBufferedMessage(_messageMembersMessage);
        var sum = 0L + view.M0.M0 + view.M1.M0 + view.M2.M0 + view.M3.M0;
        sum += view.M4.M0 + view.M5.M0 + view.M6.M0 + view.M7.M0;
        sum += view.M8.M0 + view.M9.M0 + view.M10.M0 + view.M11.M0;
        sum += view.M12.M0 + view.M13.M0 + view.M14.M0 + view.M15.M0;
        return sum;
    }

    // Touches a payload, but not all of it.
    private static int SumOf(ReadOnlySpan<byte> bytes) => bytes.Length + bytes[^1];

    private static int SumOf(ReadOnlySpan<int> numbers) => numbers.Length + numbers[^1];

    private static long SumOf(decimal value)
    {
        var words = Unsafe.BitCast<decimal, UInt128>(value);
        return (long)(ulong)words + (long)(ulong)(words >> 64);
    }
}
