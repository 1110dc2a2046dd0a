using System.Buffers;
using System.Text;
using System.Text.Unicode;

namespace BufferedMessages.Queues;

/// <summary>The consumer names of a queue. The caller of every method that changes them holds the membership lock.</summary>
internal sealed class CursorNames(ControlMap control)
{
    /// <summary>Requires a name that a cursor record can hold.</summary>
    /// <exception cref="ArgumentException">It is empty or too long, or has half a surrogate pair.</exception>
    public static void RequireName(string name)
    {
        ArgumentException.ThrowIfNullOrEmpty(name);
        var status = Utf8.FromUtf16(name, stackalloc byte[CursorRecord.MaxNameBytes], out _, out _, replaceInvalidSequences: false);
        if (status != OperationStatus.Done)
        {
            throw new ArgumentException(
                status == OperationStatus.DestinationTooSmall
                    ? $"The name is longer than {CursorRecord.MaxNameBytes} bytes."
                    : "The name has half a surrogate pair, which has no UTF-8 form: two such names would be the same. Use well-formed text.",
                nameof(name));
        }
    }

    /// <summary>The record of a name, or null.</summary>
    public int? Find(string name)
    {
        Span<byte> wanted = stackalloc byte[CursorRecord.MaxNameBytes];
        wanted = wanted[..Encoding.UTF8.GetBytes(name, wanted)];
        for (var index = 0; index < CursorRecord.Count; index++)
        {
            ref var cursor = ref control.Cursor(index);
            var kind = Volatile.Read(ref cursor.Kind);
            if (kind == 0)
            {
                return null;
            }

            RequireRecord(ref cursor, kind);
            Span<byte> known = cursor.Name;
            if (kind != CursorRecord.DeletedKind && known[..(int)cursor.NameBytes].SequenceEqual(wanted))
            {
                return index;
            }
        }

        return null;
    }

    /// <summary>The name of a record.</summary>
    public string NameOf(int index)
    {
        ref var cursor = ref control.Cursor(index);
        RequireRecord(ref cursor, cursor.Kind);
        Span<byte> name = cursor.Name;
        return Encoding.UTF8.GetString(name[..(int)cursor.NameBytes]);
    }

    private void RequireRecord(ref CursorRecord cursor, uint kind)
    {
        if (kind > CursorRecord.DeletedKind || cursor.NameBytes > CursorRecord.MaxNameBytes)
        {
            throw new QueueCorruptedException(control.Path, control.OffsetOf(ref cursor), "the cursor record is of no known kind");
        }
    }
}
