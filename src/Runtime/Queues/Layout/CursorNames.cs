using System.Buffers;
using System.Text;
using System.Text.Unicode;

namespace BufferedMessages.Queues;

/// <summary>The consumer names of a queue, for reading. They change only under the membership lock.</summary>
internal sealed class CursorNames(ControlMap control)
{
    /// <summary>Requires a name that a cursor record can hold.</summary>
    /// <exception cref="ArgumentException">It is empty or too long, or has an unpaired surrogate.</exception>
    public static void RequireName(string name)
    {
        ArgumentException.ThrowIfNullOrEmpty(name);
        var status = Utf8.FromUtf16(name, stackalloc byte[CursorRecord.MaxNameBytes], out _, out _, replaceInvalidSequences: false);
        if (status != OperationStatus.Done)
        {
            throw new ArgumentException(
                status == OperationStatus.DestinationTooSmall
                    ? $"The name is longer than {CursorRecord.MaxNameBytes} bytes."
                    : "The name has an unpaired surrogate, which has no UTF-8 form: two such names would be the same. Use well-formed text.",
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
                RequireNoneAfter(index);
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

    /// <summary>Whether a record of a kind is possible: a name has bytes, and not too many.</summary>
    public static bool IsPossible(ref readonly CursorRecord cursor, uint kind) =>
        kind <= CursorRecord.DeletedKind && cursor.NameBytes <= CursorRecord.MaxNameBytes && (kind == CursorRecord.DeletedKind || cursor.NameBytes > 0);

    /// <summary>Whether a later record was ever in use. The records get names in their order, and never become unused again.</summary>
    public static bool HasLater(ControlMap control, int index)
    {
        for (var later = index + 1; later < CursorRecord.Count; later++)
        {
            if (Volatile.Read(ref control.Cursor(later).Kind) != 0)
            {
                return true;
            }
        }

        return false;
    }

    // All names after it would be taken for new ones, and begin again at the earliest message.
    private void RequireNoneAfter(int index)
    {
        if (HasLater(control, index) && Volatile.Read(ref control.Cursor(index).Kind) == 0)
        {
            throw new QueueCorruptedException(control.Path, control.OffsetOf(ref control.Cursor(index)), "the cursor record is not in use, but later ones are");
        }
    }

    private void RequireRecord(ref CursorRecord cursor, uint kind)
    {
        if (!IsPossible(in cursor, kind))
        {
            throw new QueueCorruptedException(control.Path, control.OffsetOf(ref cursor), "the cursor record is of no known kind");
        }
    }
}
