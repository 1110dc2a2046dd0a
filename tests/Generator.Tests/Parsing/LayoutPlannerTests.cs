using BufferedMessages.Generator.Layout;
using BufferedMessages.Generator.Model;

namespace BufferedMessages.Generator.Tests;

/// <summary>Placement follows docs/format/messages.md: pure arithmetic, without a compiler.</summary>
public sealed class LayoutPlannerTests
{
    private static readonly MemberKind Slot = new StringKind();

    [Fact]
    public void The_example_of_the_format_has_its_three_words()
    {
        var layout = LayoutPlanner.Plan([Slot, Value(4, 4), Slot]);

        Assert.Equal(24, layout.BlockBytes);
        Assert.Equal([0, 8, 16], layout.Members.Select(static place => place.Offset));
    }

    [Fact]
    public void A_block_has_at_least_one_word() => Assert.Equal(8, LayoutPlanner.Plan([]).BlockBytes);

    [Fact]
    public void A_small_member_fills_the_lowest_hole_that_fits()
    {
        var layout = LayoutPlanner.Plan([Value(1, 1), Value(8, 8), Value(2, 2), Value(4, 4), Value(1, 1)]);

        Assert.Equal([0, 8, 2, 4, 1], layout.Members.Select(static place => place.Offset));
        Assert.Equal(16, layout.BlockBytes);
    }

    [Fact]
    public void A_presence_byte_lies_before_its_first_nullable_and_serves_eight()
    {
        var layout = LayoutPlanner.Plan(Enumerable.Repeat<MemberKind>(new NullableKind(Value(1, 1)), 9));

        Assert.Equal([0, 1, 2, 3, 4, 5, 6, 7, 72], layout.Members.Select(static place => place.PresenceBit));
        Assert.Equal([1, 2, 3, 4, 5, 6, 7, 8, 10], layout.Members.Select(static place => place.Offset));
    }

    [Fact]
    public void A_presence_byte_fills_a_hole_like_a_member()
    {
        var layout = LayoutPlanner.Plan([Value(1, 1), Slot, new NullableKind(Value(8, 8))]);

        Assert.Equal(1 * 8, layout.Members[2].PresenceBit);
        Assert.Equal(16, layout.Members[2].Offset);
    }

    [Fact]
    public void Sixteen_byte_values_are_aligned_to_eight()
    {
        var layout = LayoutPlanner.Plan([Value(8, 8), Value(16, 8)]);

        Assert.Equal([0, 8], layout.Members.Select(static place => place.Offset));
    }

    [Fact]
    public void A_block_beyond_the_limit_is_refused()
    {
        var largest = Enumerable.Repeat<MemberKind>(Slot, ushort.MaxValue).ToList();

        Assert.Equal(ushort.MaxValue * 8, LayoutPlanner.Plan(largest).BlockBytes);
        Assert.Throws<InvalidOperationException>(() => LayoutPlanner.Plan(largest.Append(Slot)));
    }

    [Fact]
    public void Random_layouts_are_those_that_trying_every_offset_gives()
    {
        foreach (var kinds in RandomMembers(20_000))
        {
            Assert.Equal(ByTryingEveryOffset(kinds), LayoutPlanner.Plan(kinds).Members.Select(static place => (place.Offset, place.PresenceBit)));
        }
    }

    [Fact]
    public void A_new_member_never_moves_an_old_one()
    {
        foreach (var kinds in RandomMembers(2_000))
        {
            var all = LayoutPlanner.Plan(kinds).Members;
            for (var count = 0; count < kinds.Count; count++)
            {
                Assert.Equal(all.Take(count), LayoutPlanner.Plan(kinds.Take(count)).Members);
            }
        }
    }

    private static IEnumerable<List<MemberKind>> RandomMembers(int count)
    {
        var random = new Random(20260101);
        MemberKind[] values = [Value(1, 1), Value(2, 2), Value(4, 4), Value(8, 8), Value(16, 8), Value(3, 1), Value(12, 4), Value(6, 2), Slot];
        for (var i = 0; i < count; i++)
        {
            yield return [.. Enumerable.Range(0, random.Next(1, 24)).Select(_ =>
                values[random.Next(values.Length)] is var kind && kind is ValueKind value && random.Next(3) == 0 ? new NullableKind(value) : kind)];
        }
    }

    private static List<(int Offset, int? PresenceBit)> ByTryingEveryOffset(List<MemberKind> kinds)
    {
        var used = new List<bool>();
        var places = new List<(int, int?)>();
        var nullables = 0;
        var presenceByte = 0;
        foreach (var kind in kinds)
        {
            int? bit = null;
            if (kind is NullableKind)
            {
                presenceByte = nullables % 8 == 0 ? Place(1, 1) : presenceByte;
                bit = (presenceByte * 8) + (nullables++ % 8);
            }

            var value = kind as ValueKind ?? (kind as NullableKind)?.Value;
            places.Add((Place(value?.Size ?? 8, value?.Alignment ?? 8), bit));
        }

        return places;

        int Place(int size, int alignment)
        {
            var offset = 0;
            while (offset % alignment != 0 || !(IsHole(offset, size) || offset >= used.Count))
            {
                offset++;
            }

            used.AddRange(Enumerable.Repeat(false, Math.Max(0, offset + size - used.Count)));
            for (var i = offset; i < offset + size; i++)
            {
                used[i] = true;
            }

            return offset;
        }

        bool IsHole(int offset, int size) => offset + size <= used.Count && !used.Skip(offset).Take(size).Contains(true);
    }

    private static ValueKind Value(int size, int alignment) => new("x", "X", size, alignment, IsChecked: false, default);
}
