using System.Globalization;
using BufferedMessages.Generator.Model;
using Microsoft.CodeAnalysis;

namespace BufferedMessages.Generator.Parsing;

/// <summary>
/// A parser that puts the members into ordinal order, between the reserved ordinals. Wrong ordinals would change the layout silently, so the generated code
/// then throws.
/// </summary>
internal sealed class OrdinalParser(IProblemSink? sink)
{
    private readonly SortedDictionary<int, MemberCandidate> _members = [];
    private readonly SortedDictionary<int, MemberKind> _reserved = [];
    private int _last;
    private string? _error;

    /// <summary>Puts the members into ordinal order. On an error they keep the order of declaration, and the reserved ordinals are left out.</summary>
    /// <param name="members">The members in the order of declaration.</param>
    /// <param name="reserved">The reserved ordinals.</param>
    /// <param name="skipped">The number of members that cannot be stored. They count, so that their error does not cause a second one about a gap.</param>
    public (IReadOnlyList<MemberCandidate> Members, IReadOnlyList<ReservedModel> Reserved, string? Error) Arrange(
        IReadOnlyList<MemberCandidate> members,
        IReadOnlyList<ReservedOrdinal> reserved,
        int skipped)
    {
        _last = members.Count + reserved.Count + skipped - 1;
        foreach (var ordinal in reserved)
        {
            Reserve(ordinal);
        }

        if (members.All(static member => member.Ordinal is null))
        {
            Number(members);
        }
        else
        {
            foreach (var member in members)
            {
                Place(member);
            }
        }

        return _error is null ? ([.. _members.Values], Closed(), null) : (members, [], _error);
    }

    private void Reserve(ReservedOrdinal reserved)
    {
        if (reserved.Type is null)
        {
            FailReserved(reserved, "but no type, so the places of later members are unknown; name the type of the removed member");
        }
        else if (reserved.Kind.Kind is not { } kind)
        {
            var type = reserved.Type.InMessage();
            FailReserved(reserved, $"whose type '{type}' cannot be stored: {reserved.Kind.Explanation}", isReported: reserved.Kind.Rule is not null);
        }
        else if (IsOutside(reserved.Ordinal))
        {
            FailReserved(reserved, Outside());
        }
        else if (_reserved.ContainsKey(reserved.Ordinal))
        {
            FailReserved(reserved, "which is already reserved; remove one of the two");
        }
        else
        {
            _reserved.Add(reserved.Ordinal, kind);
        }
    }

    /// <summary>Gives members without numbers the free ordinals, in the order of declaration.</summary>
    private void Number(IReadOnlyList<MemberCandidate> members)
    {
        var ordinal = 0;
        foreach (var member in members)
        {
            while (_reserved.ContainsKey(ordinal))
            {
                ordinal++;
            }

            _members.Add(ordinal++, member);
        }
    }

    private void Place(MemberCandidate member)
    {
        var (type, name) = (member.Symbol.ContainingType.Name, member.Symbol.Name);
        if (member.Ordinal is not { } ordinal)
        {
            sink?.Report(Rules.MissingOrdinal, member.Symbol, type, name);
            _error ??= $"{Rules.MissingOrdinal.Id}: '{type}.{name}' has no ordinal, but other members do";
        }
        else if (IsOutside(ordinal))
        {
            FailRange(member.Symbol, $"'{type}.{name}'", ordinal, Outside());
        }
        else if (_reserved.ContainsKey(ordinal))
        {
            FailRange(member.Symbol, $"'{type}.{name}'", ordinal, "which is reserved for a removed member; give it another ordinal");
        }
        else if (_members.TryGetValue(ordinal, out var other))
        {
            sink?.Report(Rules.DuplicateOrdinal, member.Symbol, type, name, Text(ordinal), other.Symbol.Name);
            _error ??= $"{Rules.DuplicateOrdinal.Id}: '{type}.{name}' and '{other.Symbol.Name}' both have ordinal {Text(ordinal)}";
        }
        else
        {
            _members.Add(ordinal, member);
        }
    }

    // Closes the gaps of members that cannot be stored.
    private IReadOnlyList<ReservedModel> Closed() =>
        [.. _reserved.Select((reserved, index) => new ReservedModel(_members.Keys.Count(ordinal => ordinal < reserved.Key) + index, reserved.Value))];

    private bool IsOutside(int ordinal) => ordinal < 0 || ordinal > _last;

    private string Outside() =>
        $"which is not between 0 and {Text(_last)}, so the ordinals have a gap; number the members from 0 on without gaps, and reserve the ordinals of removed members";

    private void FailReserved(ReservedOrdinal reserved, string reason, bool isReported = true) =>
        FailRange(isReported ? reserved.Owner : null, $"A [BufferedReserved] of '{reserved.Owner.Name}'", reserved.Ordinal, reason);

    private void FailRange(ISymbol? symbol, string what, int ordinal, string reason)
    {
        if (symbol is not null)
        {
            sink?.Report(Rules.OrdinalOutOfRange, symbol, what, Text(ordinal), reason);
        }

        _error ??= $"{Rules.OrdinalOutOfRange.Id}: {what} has ordinal {Text(ordinal)}, {reason}";
    }

    private static string Text(int ordinal) => ordinal.ToString(CultureInfo.InvariantCulture);
}
